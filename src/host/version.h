/* The version, here and nowhere else. */
#define HEDDLE_VERSION "0.1.0"

/* The one place where the version stands. */
#define HEDDLE_VERSION "0.1.0"

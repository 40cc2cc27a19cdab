/* The rows of a list of settings (a .def file), included in front of them.
 * SETTINGS_OF is the struct that has the fields.
 *
 * FLAG(field, "name", "help")
 * ENUM(field, "name", "a|b|c", initial position, "help")
 * NUMBER(field, "name", "ARGUMENT", least, initial, "help")
 * NUMBER_IN_WORDS(... least, initial, "initial value in words", "help")
 * BYTE(field, "name", "ARGUMENT", initial, "help")
 * SIZE(field, "name", "ARGUMENT", least, initial, "in words", "help")
 * RANGES(field, "name", "ARGUMENT", "initial value in words", "help")
 * LINES(field, "name", "ARGUMENT", "help")
 * TEXT(field, "name", "ARGUMENT", "initial value in words" or 0, "help")
 * LIST(field, "name", "ARGUMENT", "help") */

#define SETTING_AT(field) offsetof(SETTINGS_OF, field)

#define FLAG(field, name, help) \
  {name, SETTING_FLAG, SETTING_AT(field), 0, 0, 1, 0, 0, help},
#define ENUM(field, name, values, initial, help) \
  {name, SETTING_ENUM, SETTING_AT(field), values, 0, 0, initial, 0, help},
#define NUMBER_IN_WORDS(field, name, argument, least, initial, words, help) \
  {name,     SETTING_NUMBER, SETTING_AT(field),                             \
   argument, least,          UINT64_MAX,                                    \
   initial,  words,          help},
#define NUMBER(field, name, argument, least, initial, help) \
  NUMBER_IN_WORDS(field, name, argument, least, initial,    \
                  (initial) == UINT64_MAX ? "no limit" : 0, help)
#define BYTE(field, name, argument, initial, help)       \
  {                                                      \
      name, SETTING_NUMBER, SETTING_AT(field), argument, \
      0,    UINT8_MAX,      initial,           0,        \
      help},
#define SIZE(field, name, argument, least, initial, words, help) \
  {                                                              \
      name,     SETTING_SIZE, SETTING_AT(field),                 \
      argument, least,        UINT64_MAX,                        \
      initial,  words,        help},
#define RANGES(field, name, argument, words, help) \
  {name, SETTING_RANGES, SETTING_AT(field), argument, 0, 0, 0, words, help},
#define LINES(field, name, argument, help) \
  {name, SETTING_LINES, SETTING_AT(field), argument, 0, 0, 0, 0, help},
#define TEXT(field, name, argument, words, help) \
  {name, SETTING_TEXT, SETTING_AT(field), argument, 0, 0, 0, words, help},
#define LIST(field, name, argument, help) \
  {name, SETTING_LIST, SETTING_AT(field), argument, 0, 0, 0, 0, help},

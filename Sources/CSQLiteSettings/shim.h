#include <sqlite3.h>

/* sqlite3_db_config is variadic, which Swift can't call. */

/// Sets whether SQL may change the schema's own tables and other structures that SQLite relies on.
static inline int sqlite3_set_defensive(sqlite3 *connection, int is_on) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, is_on, (int *)0);
}

/// Whether it may not.
static inline int sqlite3_is_defensive(sqlite3 *connection) {
    int is_on = 0;
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, -1, &is_on);
    return is_on;
}

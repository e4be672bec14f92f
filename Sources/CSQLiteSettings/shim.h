#include <sqlite3.h>

/* sqlite3_db_config and sqlite3_config are variadic, which Swift can't call. */

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

/// Sets up to how many bytes the journal of one statement stays in memory, for all connections that
/// this process opens. Fails if SQLite is in use already.
static inline int sqlite3_set_statement_journal_limit(int bytes) {
    return sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, bytes);
}

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

/* The session extension. SQLite's header declares it only with a macro that other importers of the
   header don't define. Debian's library has it. */
typedef struct sqlite3_session sqlite3_session;
typedef struct sqlite3_changeset_iter sqlite3_changeset_iter;
extern int sqlite3session_create(sqlite3 *, const char *, sqlite3_session **);
extern void sqlite3session_delete(sqlite3_session *);
extern int sqlite3session_attach(sqlite3_session *, const char *);
extern void sqlite3session_table_filter(
    sqlite3_session *, int (*)(void *, const char *), void *);
extern int sqlite3session_changeset(sqlite3_session *, int *, void **);
extern int sqlite3changeset_apply(
    sqlite3 *, int, void *, int (*)(void *, const char *),
    int (*)(void *, int, sqlite3_changeset_iter *), void *);
extern int sqlite3changeset_start(sqlite3_changeset_iter **, int, void *);
extern int sqlite3changeset_next(sqlite3_changeset_iter *);
extern int sqlite3changeset_op(
    sqlite3_changeset_iter *, const char **, int *, int *, int *);
extern int sqlite3changeset_finalize(sqlite3_changeset_iter *);

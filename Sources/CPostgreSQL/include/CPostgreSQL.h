#ifndef OPENHEALTHKIT_CPOSTGRESQL_H
#define OPENHEALTHKIT_CPOSTGRESQL_H

#include <stdbool.h>

/// The part of libpq, PostgreSQL's client library, that HealthPeople uses.
///
/// The library is loaded with dlopen(3) at the first use, so the programs build without its headers
/// and run without it for people who need no server. Names, numbers and signatures are those of the
/// public interface of libpq 14, whose ABI (libpq.so.5) doesn't change:
/// https://www.postgresql.org/docs/current/libpq.html
///
/// The functions with the names of libpq are inline and call the library, so a program that is
/// also linked with libpq has no duplicate symbols.

/// The number of a type.
typedef unsigned int Oid;
/// A connection.
typedef struct pg_conn PGconn;
/// The result of a statement.
typedef struct pg_result PGresult;

/// The state of a connection. Values between these are steps of connecting.
typedef enum { CONNECTION_OK = 0, CONNECTION_BAD = 1 } ConnStatusType;

/// What an attempt to connect waits for.
typedef enum {
    PGRES_POLLING_FAILED = 0,
    PGRES_POLLING_READING = 1,
    PGRES_POLLING_WRITING = 2,
    PGRES_POLLING_OK = 3,
} PostgresPollingStatusType;

/// The kind of a result.
typedef enum {
    PGRES_EMPTY_QUERY = 0,
    PGRES_COMMAND_OK = 1,
    PGRES_TUPLES_OK = 2,
    PGRES_FATAL_ERROR = 7,
    PGRES_PIPELINE_SYNC = 10,
    PGRES_PIPELINE_ABORTED = 11,
} ExecStatusType;

/// The state of a connection's transaction.
typedef enum {
    PQTRANS_IDLE = 0,
    PQTRANS_ACTIVE = 1,
    PQTRANS_INTRANS = 2,
    PQTRANS_INERROR = 3,
    PQTRANS_UNKNOWN = 4,
} PGTransactionStatusType;

/// How much of a server's error libpq puts into its text.
typedef enum {
    PQERRORS_TERSE = 0,
    PQERRORS_DEFAULT = 1,
    PQERRORS_VERBOSE = 2,
    PQERRORS_SQLSTATE = 3,
} PGVerbosity;

/// An option of a connection. An array of these ends with one whose keyword is null.
typedef struct {
    char *keyword;
    char *envvar;
    char *compiled;
    char *val;
    char *label;
    char *dispchar;
    int dispsize;
} PQconninfoOption;

/// Receives the text of a notice.
typedef void (*PQnoticeProcessor)(void *arg, const char *message);

/// The functions of a loaded library.
struct ohk_libpq {
    void (*PQclear)(PGresult *);
    char *(*PQcmdStatus)(PGresult *);
    char *(*PQcmdTuples)(PGresult *);
    PostgresPollingStatusType (*PQconnectPoll)(PGconn *);
    PGconn *(*PQconnectStartParams)(const char *const *, const char *const *, int);
    void (*PQconninfoFree)(PQconninfoOption *);
    PQconninfoOption *(*PQconninfoParse)(const char *, char **);
    int (*PQconsumeInput)(PGconn *);
    int (*PQenterPipelineMode)(PGconn *);
    char *(*PQerrorMessage)(const PGconn *);
    int (*PQexitPipelineMode)(PGconn *);
    void (*PQfinish)(PGconn *);
    int (*PQflush)(PGconn *);
    void (*PQfreemem)(void *);
    Oid (*PQftype)(const PGresult *, int);
    PGresult *(*PQgetResult)(PGconn *);
    int (*PQgetisnull)(const PGresult *, int, int);
    int (*PQgetlength)(const PGresult *, int, int);
    char *(*PQgetvalue)(const PGresult *, int, int);
    int (*PQisBusy)(PGconn *);
    int (*PQnfields)(const PGresult *);
    int (*PQntuples)(const PGresult *);
    char *(*PQpass)(const PGconn *);
    int (*PQpipelineSync)(PGconn *);
    char *(*PQresultErrorField)(const PGresult *, int);
    ExecStatusType (*PQresultStatus)(const PGresult *);
    int (*PQsendQueryParams)(
        PGconn *, const char *, int, const Oid *, const char *const *, const int *, const int *,
        int);
    PGVerbosity (*PQsetErrorVerbosity)(PGconn *, PGVerbosity);
    PQnoticeProcessor (*PQsetNoticeProcessor)(PGconn *, PQnoticeProcessor, void *);
    int (*PQsetnonblocking)(PGconn *, int);
    int (*PQsocket)(const PGconn *);
    ConnStatusType (*PQstatus)(const PGconn *);
    PGTransactionStatusType (*PQtransactionStatus)(const PGconn *);
};

/// Returns whether libpq could be loaded, which the first call tries. Any thread may call it.
///
/// If it returns false, the functions below must not be called.
bool ohk_libpq_isLoaded(void);

/// Loads a library and finds all functions in it. It stays loaded.
///
/// \param library The functions, which are unchanged if one is missing.
/// \param name The name or the path of the library.
/// \returns Whether the library was found and has all functions.
bool ohk_libpq_load(struct ohk_libpq *library, const char *name);

/// Returns the functions of the loaded library.
const struct ohk_libpq *ohk_libpq_loaded(void);

// MARK: - The functions of libpq

static inline void PQclear(PGresult *result) { ohk_libpq_loaded()->PQclear(result); }

static inline char *PQcmdStatus(PGresult *result) {
    return ohk_libpq_loaded()->PQcmdStatus(result);
}

static inline char *PQcmdTuples(PGresult *result) {
    return ohk_libpq_loaded()->PQcmdTuples(result);
}

static inline PostgresPollingStatusType PQconnectPoll(PGconn *connection) {
    return ohk_libpq_loaded()->PQconnectPoll(connection);
}

static inline PGconn *PQconnectStartParams(
    const char *const *keywords, const char *const *values, int expandDatabaseName
) {
    return ohk_libpq_loaded()->PQconnectStartParams(keywords, values, expandDatabaseName);
}

static inline void PQconninfoFree(PQconninfoOption *options) {
    ohk_libpq_loaded()->PQconninfoFree(options);
}

static inline PQconninfoOption *PQconninfoParse(const char *text, char **message) {
    return ohk_libpq_loaded()->PQconninfoParse(text, message);
}

static inline int PQconsumeInput(PGconn *connection) {
    return ohk_libpq_loaded()->PQconsumeInput(connection);
}

static inline int PQenterPipelineMode(PGconn *connection) {
    return ohk_libpq_loaded()->PQenterPipelineMode(connection);
}

static inline char *PQerrorMessage(const PGconn *connection) {
    return ohk_libpq_loaded()->PQerrorMessage(connection);
}

static inline int PQexitPipelineMode(PGconn *connection) {
    return ohk_libpq_loaded()->PQexitPipelineMode(connection);
}

static inline void PQfinish(PGconn *connection) { ohk_libpq_loaded()->PQfinish(connection); }

static inline int PQflush(PGconn *connection) { return ohk_libpq_loaded()->PQflush(connection); }

static inline void PQfreemem(void *memory) { ohk_libpq_loaded()->PQfreemem(memory); }

static inline Oid PQftype(const PGresult *result, int column) {
    return ohk_libpq_loaded()->PQftype(result, column);
}

static inline PGresult *PQgetResult(PGconn *connection) {
    return ohk_libpq_loaded()->PQgetResult(connection);
}

static inline int PQgetisnull(const PGresult *result, int row, int column) {
    return ohk_libpq_loaded()->PQgetisnull(result, row, column);
}

static inline int PQgetlength(const PGresult *result, int row, int column) {
    return ohk_libpq_loaded()->PQgetlength(result, row, column);
}

static inline char *PQgetvalue(const PGresult *result, int row, int column) {
    return ohk_libpq_loaded()->PQgetvalue(result, row, column);
}

static inline int PQisBusy(PGconn *connection) { return ohk_libpq_loaded()->PQisBusy(connection); }

static inline int PQnfields(const PGresult *result) {
    return ohk_libpq_loaded()->PQnfields(result);
}

static inline int PQntuples(const PGresult *result) {
    return ohk_libpq_loaded()->PQntuples(result);
}

static inline char *PQpass(const PGconn *connection) {
    return ohk_libpq_loaded()->PQpass(connection);
}

static inline int PQpipelineSync(PGconn *connection) {
    return ohk_libpq_loaded()->PQpipelineSync(connection);
}

static inline char *PQresultErrorField(const PGresult *result, int field) {
    return ohk_libpq_loaded()->PQresultErrorField(result, field);
}

static inline ExecStatusType PQresultStatus(const PGresult *result) {
    return ohk_libpq_loaded()->PQresultStatus(result);
}

static inline int PQsendQueryParams(
    PGconn *connection, const char *sql, int count, const Oid *types, const char *const *values,
    const int *lengths, const int *formats, int resultFormat
) {
    return ohk_libpq_loaded()->PQsendQueryParams(
        connection, sql, count, types, values, lengths, formats, resultFormat);
}

static inline PGVerbosity PQsetErrorVerbosity(PGconn *connection, PGVerbosity verbosity) {
    return ohk_libpq_loaded()->PQsetErrorVerbosity(connection, verbosity);
}

static inline PQnoticeProcessor PQsetNoticeProcessor(
    PGconn *connection, PQnoticeProcessor processor, void *argument
) {
    return ohk_libpq_loaded()->PQsetNoticeProcessor(connection, processor, argument);
}

static inline int PQsetnonblocking(PGconn *connection, int isNonblocking) {
    return ohk_libpq_loaded()->PQsetnonblocking(connection, isNonblocking);
}

static inline int PQsocket(const PGconn *connection) {
    return ohk_libpq_loaded()->PQsocket(connection);
}

static inline ConnStatusType PQstatus(const PGconn *connection) {
    return ohk_libpq_loaded()->PQstatus(connection);
}

static inline PGTransactionStatusType PQtransactionStatus(const PGconn *connection) {
    return ohk_libpq_loaded()->PQtransactionStatus(connection);
}

#endif

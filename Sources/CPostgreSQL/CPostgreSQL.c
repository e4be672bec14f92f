#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

/// The names and paths of the library, in the order of the attempts. The paths on Apple platforms
/// are those of Homebrew, which aren't searched by default.
static const char *const names[] = {
#if defined(__APPLE__)
    "libpq.5.dylib",
    "/opt/homebrew/opt/libpq/lib/libpq.5.dylib",
    "/usr/local/opt/libpq/lib/libpq.5.dylib",
#else
    "libpq.so.5",
#endif
};

/// A function of the library, and where its address is stored.
struct function {
    const char *name;
    size_t offset;
};

#define FUNCTION(name) { #name, offsetof(struct ohk_libpq, name) }

static const struct function functions[] = {
    FUNCTION(PQclear),
    FUNCTION(PQcmdStatus),
    FUNCTION(PQcmdTuples),
    FUNCTION(PQconnectPoll),
    FUNCTION(PQconnectStartParams),
    FUNCTION(PQconninfoFree),
    FUNCTION(PQconninfoParse),
    FUNCTION(PQconsumeInput),
    FUNCTION(PQenterPipelineMode),
    FUNCTION(PQerrorMessage),
    FUNCTION(PQexitPipelineMode),
    FUNCTION(PQfinish),
    FUNCTION(PQflush),
    FUNCTION(PQfreemem),
    FUNCTION(PQftype),
    FUNCTION(PQgetResult),
    FUNCTION(PQgetisnull),
    FUNCTION(PQgetlength),
    FUNCTION(PQgetvalue),
    FUNCTION(PQisBusy),
    FUNCTION(PQnfields),
    FUNCTION(PQntuples),
    FUNCTION(PQpass),
    FUNCTION(PQpipelineSync),
    FUNCTION(PQresultErrorField),
    FUNCTION(PQresultStatus),
    FUNCTION(PQsendQueryParams),
    FUNCTION(PQsetErrorVerbosity),
    FUNCTION(PQsetNoticeProcessor),
    FUNCTION(PQsetnonblocking),
    FUNCTION(PQsocket),
    FUNCTION(PQstatus),
    FUNCTION(PQtransactionStatus),
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

_Static_assert(
    COUNT(functions) * sizeof(void *) == sizeof(struct ohk_libpq),
    "Each member of ohk_libpq needs a line in this table.");

bool ohk_libpq_load(struct ohk_libpq *library, const char *name) {
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) { return false; }
    struct ohk_libpq found;
    for (size_t index = 0; index < COUNT(functions); index++) {
        void *address = dlsym(handle, functions[index].name);
        if (address == NULL) {
            dlclose(handle);
            return false;
        }
        memcpy((char *)&found + functions[index].offset, &address, sizeof(address));
    }
    *library = found;
    return true;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct ohk_libpq loaded;
static bool isLoaded = false;

static void load(void) {
    for (size_t index = 0; index < COUNT(names) && !isLoaded; index++) {
        isLoaded = ohk_libpq_load(&loaded, names[index]);
    }
}

bool ohk_libpq_isLoaded(void) {
    pthread_once(&once, load);
    return isLoaded;
}

const struct ohk_libpq *ohk_libpq_loaded(void) {
    pthread_once(&once, load);
    return &loaded;
}

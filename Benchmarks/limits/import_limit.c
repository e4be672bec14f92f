// The limit of an import: what C and SQLite need for the records of an export.zip.
//
//   cc -O2 -o import_limit import_limit.c -lz -lsqlite3 && ./import_limit export.zip out.sqlite
//
// Inflates the XML with zlib, scans it for Record elements and inserts one row for each into the
// table that openhealth has, builds its index of times, and prints the number of rows. It is a
// limit and not an importer: it knows the order of attributes that our simulator writes, checks
// nothing, doesn't recognize repeated records, and leaves out workouts, correlations, heartbeats,
// routes, segments and the comparison with stored rows.

#define _GNU_SOURCE
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define INPUT (256 << 10)
#define OUTPUT (1 << 20)

static void fail(const char *what) {
    fprintf(stderr, "import_limit: %s\n", what);
    exit(1);
}

static uint32_t u16(const unsigned char *p) { return p[0] | p[1] << 8; }
static uint32_t u32(const unsigned char *p) { return u16(p) | u16(p + 2) << 16; }

// Positions the file at the data of the entry whose name ends in "export.xml". The directory is
// below 16 MB and has no ZIP64 records in the files of the benchmark.
static void seek_to_xml(FILE *file) {
    unsigned char tail[22], *directory, header[30];
    if (fseek(file, -22, SEEK_END) || fread(tail, 22, 1, file) != 1 || u32(tail) != 0x06054b50)
        fail("no end of the zip's directory");
    uint32_t size = u32(tail + 12), start = u32(tail + 16);
    if (size > (16 << 20) || !(directory = malloc(size))) fail("the zip's directory is too large");
    if (fseek(file, start, SEEK_SET) || fread(directory, size, 1, file) != 1)
        fail("unreadable directory");
    for (uint32_t at = 0; at + 46 <= size;) {
        const unsigned char *entry = directory + at;
        uint32_t length = u16(entry + 28);
        if (length >= 10 && !memcmp(entry + 46 + length - 10, "export.xml", 10)) {
            uint32_t offset = u32(entry + 42);
            if (fseek(file, offset, SEEK_SET) || fread(header, 30, 1, file) != 1)
                fail("unreadable header");
            fseek(file, u16(header + 26) + u16(header + 28), SEEK_CUR);
            free(directory);
            return;
        }
        at += 46 + length + u16(entry + 30) + u16(entry + 32);
    }
    fail("no export.xml in the zip");
}

// Texts by number, found by hash.
typedef struct {
    uint64_t *hashes;
    uint32_t mask, count;
} Table;

static uint64_t hash(const char *p, size_t n, uint64_t h) {
    for (; n >= 8; p += 8, n -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        h = (h ^ word) * 0x9E3779B97F4A7C15u;
        h ^= h >> 32;
    }
    uint64_t word = n;
    memcpy(&word, p, n);
    h = (h ^ word) * 0x9E3779B97F4A7C15u;
    return h ^ h >> 29;
}

// Returns the number of a hash, from 1; `*is_new` says whether it is a new one.
static uint32_t intern(Table *table, uint64_t h, int *is_new) {
    if (!table->hashes) {
        table->mask = (1 << 20) - 1;
        table->hashes = calloc((table->mask + 1) * 2, 8);
        if (!table->hashes) fail("no memory");
    }
    uint32_t at = h & table->mask;
    while (table->hashes[at * 2 + 1]) {
        if (table->hashes[at * 2] == h) {
            *is_new = 0;
            return table->hashes[at * 2 + 1];
        }
        at = (at + 1) & table->mask;
    }
    if (table->count >= table->mask / 2) fail("too many different texts");
    table->hashes[at * 2] = h;
    table->hashes[at * 2 + 1] = ++table->count;
    *is_new = 1;
    return table->count;
}

typedef struct {
    const char *start;
    size_t length;
} Text;

// "2024-03-31 10:00:00 +0200" in seconds since 2001.
static double seconds(Text text) {
    const char *p = text.start;
    if (text.length != 25) return 0;
#define TWO(i) ((p[i] - '0') * 10 + p[i + 1] - '0')
    int year = TWO(0) * 100 + TWO(2), month = TWO(5), day = TWO(8);
    int y = month <= 2 ? year - 1 : year, m = month <= 2 ? month + 9 : month - 3;
    int64_t days = 365LL * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 730791;
    int offset = (TWO(21) * 60 + TWO(23)) * 60;
    if (p[20] == '-') offset = -offset;
    return days * 86400.0 + TWO(11) * 3600 + TWO(14) * 60 + TWO(17) - offset;
}

static sqlite3 *db;
static sqlite3_stmt *insert_sample, *insert_origin, *insert_metadata;
static Table types, origins, metadata;
static long rows;

static void run(const char *sql) {
    if (sqlite3_exec(db, sql, 0, 0, 0)) fail(sqlite3_errmsg(db));
}

static void step(sqlite3_stmt *statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) fail(sqlite3_errmsg(db));
    sqlite3_reset(statement);
}

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, 0))
        fail(sqlite3_errmsg(db));
    return statement;
}

enum { TYPE, SOURCE, VERSION, DEVICE, UNIT, CREATED, START, END, VALUE, FIELDS };

static uint32_t origin_of(const Text *field) {
    uint64_t h = 1;
    for (int i = SOURCE; i <= UNIT; i++) {
        Text text = field[i];
        // The address in a device's text changes and says nothing.
        if (i == DEVICE) {
            const char *comma = text.start ? memchr(text.start, ',', text.length) : 0;
            if (comma) {
                text.length -= comma - text.start;
                text.start = comma;
            }
        }
        h = hash(text.start ? text.start : "", text.length, h);
    }
    int is_new;
    uint32_t number = intern(&origins, h, &is_new);
    if (is_new) {
        sqlite3_bind_int64(insert_origin, 1, number);
        for (int i = SOURCE; i <= UNIT; i++)
            sqlite3_bind_text(insert_origin, i + 1, field[i].start, field[i].length, 0);
        step(insert_origin);
    }
    return number;
}

static uint32_t metadata_of(Text text) {
    int is_new;
    uint64_t h = hash(text.start, text.length, 3);
    uint32_t number = intern(&metadata, h, &is_new);
    if (is_new) {
        sqlite3_bind_int64(insert_metadata, 1, number);
        sqlite3_bind_int64(insert_metadata, 2, h);
        sqlite3_bind_text(insert_metadata, 3, text.start, text.length, 0);
        step(insert_metadata);
    }
    return number;
}

static void insert(const Text *field, Text children) {
    int is_new;
    uint64_t h = hash(field[TYPE].start, field[TYPE].length, 2);
    uint32_t type = intern(&types, h, &is_new), origin = origin_of(field);
    double start = seconds(field[START]), end = seconds(field[END]);
    char number[32] = {0};
    size_t length = field[VALUE].length < 31 ? field[VALUE].length : 31;
    if (length) memcpy(number, field[VALUE].start, length);
    uint64_t key = hash(number, length, h ^ (uint64_t)end * 31 ^ origin);
    sqlite3_bind_int64(insert_sample, 1, ++rows);
    sqlite3_bind_int64(insert_sample, 2, type);
    sqlite3_bind_double(insert_sample, 3, start);
    sqlite3_bind_int64(insert_sample, 4, (int64_t)(key >> 2));
    sqlite3_bind_double(insert_sample, 5, end);
    sqlite3_bind_double(insert_sample, 6, seconds(field[CREATED]));
    sqlite3_bind_int64(insert_sample, 7, origin);
    if (children.length) sqlite3_bind_int64(insert_sample, 8, metadata_of(children));
    else sqlite3_bind_null(insert_sample, 8);
    sqlite3_bind_double(insert_sample, 9, strtod(number, 0));
    step(insert_sample);
}

static const char *names[FIELDS] = {
    "type", "sourceName", "sourceVersion", "device", "unit",
    "creationDate", "startDate", "endDate", "value"};

// Scans the buffer's records and returns where the first incomplete one begins.
static const char *scan(const char *p, const char *end) {
    for (;;) {
        const char *tag = memmem(p, end - p, "<Record ", 8);
        if (!tag) return end - (end - p < 8 ? end - p : 7);
        Text field[FIELDS] = {{0}};
        const char *at = tag + 8;
        for (;;) {
            while (at < end && (*at == ' ' || *at == '\n')) at++;
            if (at >= end) return tag;
            if (*at == '/' || *at == '>') break;
            const char *equals = memchr(at, '=', end - at);
            const char *close = equals && equals + 2 < end
                ? memchr(equals + 2, '"', end - equals - 2) : 0;
            if (!close) return tag;
            for (int i = 0; i < FIELDS; i++) {
                size_t length = equals - at;
                if (!strncmp(names[i], at, length) && !names[i][length])
                    field[i] = (Text){equals + 2, close - equals - 2};
            }
            at = close + 1;
        }
        Text children = {0};
        if (*at == '>') {
            const char *close = memmem(at, end - at, "</Record>", 9);
            if (!close) return tag;
            children = (Text){at + 1, close - at - 1};
            at = close + 7;
        }
        insert(field, children);
        p = at + 1;
    }
}

static void inflate_and_scan(FILE *file) {
    static unsigned char input[INPUT];
    size_t capacity = OUTPUT * 4, kept = 0;
    char *buffer = malloc(capacity);
    z_stream stream = {0};
    if (!buffer || inflateInit2(&stream, -15)) fail("no memory");
    uint32_t checksum = crc32(0, 0, 0);
    for (int status = Z_OK; status != Z_STREAM_END;) {
        if (!stream.avail_in) {
            stream.next_in = input;
            stream.avail_in = fread(input, 1, INPUT, file);
            if (!stream.avail_in) fail("the zip is cut off");
        }
        if (capacity - kept < OUTPUT && !(buffer = realloc(buffer, capacity *= 2)))
            fail("no memory");
        stream.next_out = (unsigned char *)buffer + kept;
        stream.avail_out = OUTPUT;
        status = inflate(&stream, Z_NO_FLUSH);
        if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
            fail("invalid compressed data");
        size_t count = OUTPUT - stream.avail_out;
        checksum = crc32(checksum, (unsigned char *)buffer + kept, count);
        kept += count;
        const char *rest = scan(buffer, buffer + kept);
        kept = buffer + kept - rest;
        memmove(buffer, rest, kept);
    }
    inflateEnd(&stream);
    free(buffer);
    fprintf(stderr, "crc-32 %08x\n", checksum);
}

int main(int count, char **arguments) {
    if (count != 3) fail("usage: import_limit export.zip out.sqlite");
    FILE *file = fopen(arguments[1], "rb");
    if (!file) fail("can't open the zip");
    seek_to_xml(file);
    if (sqlite3_open(arguments[2], &db)) fail("can't open the database");
    run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768;"
        "CREATE TABLE origin (id INTEGER PRIMARY KEY, source TEXT, version TEXT, device TEXT,"
        " unit TEXT);"
        "CREATE TABLE metadata (id INTEGER PRIMARY KEY, digest INTEGER NOT NULL,"
        " entries TEXT NOT NULL);"
        "CREATE TABLE sample (sequence INTEGER PRIMARY KEY, type INTEGER NOT NULL,"
        " start_time REAL NOT NULL, key INTEGER NOT NULL, end_time REAL NOT NULL, created REAL,"
        " origin INTEGER NOT NULL, metadata INTEGER, value REAL, uuid BLOB);"
        "CREATE INDEX sample_long ON sample (type, start_time)"
        " WHERE end_time - start_time > 86400;"
        "CREATE UNIQUE INDEX sample_uuid ON sample (uuid) WHERE uuid IS NOT NULL;"
        "BEGIN");
    insert_sample = prepare("INSERT INTO sample VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)");
    insert_origin = prepare("INSERT INTO origin VALUES (?, ?, ?, ?, ?)");
    insert_metadata = prepare("INSERT INTO metadata VALUES (?, ?, ?)");
    inflate_and_scan(file);
    run("CREATE INDEX sample_order ON sample (type, start_time, key); COMMIT");
    sqlite3_finalize(insert_sample);
    sqlite3_finalize(insert_origin);
    sqlite3_finalize(insert_metadata);
    if (sqlite3_close(db)) fail("can't close the database");
    printf("%ld\n", rows);
    return 0;
}

import CPostgreSQL
import HealthPeople
import Testing

/// Loading PostgreSQL's client library at the first use.
@Suite struct LibraryTests {
    @Test(
        "A library that is missing, or lacks a function, isn't loaded",
        arguments: ["libopenhealth-missing.so.5", "/dev/null", "libc.so.6", "/usr/lib/libz.dylib"])
    func missing(_ name: String) {
        var library = ohk_libpq()
        #expect(!ohk_libpq_load(&library, name))
        #expect(library.PQclear == nil)
    }

    @Test("The error of a missing library says what to do") func error() {
        let error = SQLError(.libraryMissing)
        #expect(
            error.description
                == """
                PostgreSQL's client library, libpq 14 or later, can't be loaded. Install it, for \
                example with apt-get install libpq5.
                """)
        #expect(!error.isTemporary)
    }

    @Test("The first uses by several threads load it once") func threads() async throws {
        let isLoaded = ohk_libpq_isLoaded()
        try await onThreads(8) { _ in #expect(ohk_libpq_isLoaded() == isLoaded) }
    }
}

import Foundation
import HealthStorage
import HealthTesting
import Testing

@testable import OpenHealthKit

/// The store that a handle opens by default.
@Suite struct DefaultStoreTests {
    @Test(
        "$OPENHEALTH_STORE takes precedence, then memory in a test run, then the command's file",
        arguments: [
            (["OPENHEALTH_STORE": "/data/a.sqlite"], true, DefaultStore.file("/data/a.sqlite")),
            (["OPENHEALTH_STORE": "/data/a.sqlite"], false, .file("/data/a.sqlite")),
            (["OPENHEALTH_STORE": "", "HOME": "/anna"], true, .memory),
            (
                ["HOME": "/anna", "XDG_DATA_HOME": "/x"], false,
                .file("/x/openhealth/health.sqlite")
            ),
            (
                ["HOME": "/anna", "XDG_DATA_HOME": "relative"], false,
                .file("/anna/.local/share/openhealth/health.sqlite")
            ),
            ([:], false, .file("/nobody/.local/share/openhealth/health.sqlite")),
        ] as [([String: String], Bool, DefaultStore)])
    func choice(environment: [String: String], isTesting: Bool, expected: DefaultStore) {
        #expect(
            DefaultStore.selected(environment: environment, isTesting: isTesting, home: "/nobody")
                == expected)
    }

    @Test(
        "test runs are detected by arguments and environment; other programs are not",
        arguments: [
            (
                ["/p/.build/debug/AppPackageTests.xctest", "--testing-library", "swift-testing"],
                true
            ),
            (["/p/.build/debug/AppPackageTests.xctest"], true),
            (["/usr/libexec/swift/pm/swiftpm-testing-helper", "--test-bundle-path", "x"], true),
            (["/Applications/Xcode.app/usr/bin/xctest", "/p/AppTests.xctest"], true),
            (["/usr/local/bin/diary", "list"], false),
            (["/usr/local/bin/latest"], false),
        ] as [([String], Bool)])
    func testRunners(arguments: [String], expected: Bool) {
        #expect(
            TestRunner.isPresent(
                arguments: arguments, environment: [:], executable: arguments[0]) == expected)
        #expect(
            TestRunner.isPresent(
                arguments: ["/bin/app"], environment: ["XCTestConfigurationFilePath": ""],
                executable: "/bin/app"))
    }

    @Test(
        "this test run uses one in-memory store and never a person's file",
        .covers(
            "HKHealthStore", "HKHealthStore.init()", "HKHealthStore.isHealthDataAvailable()",
            "HKHealthStore.supportsHealthRecords()"))
    func thisRun() throws {
        #expect(TestRunner.isPresent)
        let (first, second) = (HKHealthStore(), HKHealthStore())
        #expect(first.connection === second.connection)
        #expect(try first.connection.store.path == ":memory:")
        #expect(HKHealthStore.isHealthDataAvailable())
        #expect(first.supportsHealthRecords())
        #expect(first.identity == .current)
    }

    @Test("in-memory stores are separate; handles of other identities share one")
    func memory() async throws {
        let (first, second) = (StoreFixture(.assumed), StoreFixture(.assumed))
        try await first.store.save(first.walk())
        #expect(try first.app("other").visibleCount(StoreFixture.steps) == 1)
        #expect(try second.store.visibleCount(StoreFixture.steps) == 0)
    }

    @Test("a process has one connection to a file, whichever path opens it")
    func paths() throws {
        let folder = try StoreFolder()
        let path = folder.path + "/health.sqlite"
        let first = try HKHealthStore(path: path)
        let again = try HKHealthStore(
            path: folder.path + "/../" + lastName(folder) + "/health.sqlite")
        #expect(first.connection === again.connection)
        let link = folder.path + "/link.sqlite"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(try HKHealthStore(path: link).connection === first.connection)
        let other = try HKHealthStore(path: folder.path + "/other.sqlite")
        #expect(other.connection !== first.connection)
    }

    private func lastName(_ folder: StoreFolder) -> String {
        URL(fileURLWithPath: folder.path).lastPathComponent
    }

    @Test("samples and permissions persist after the last handle of a file is released")
    func reopening() async throws {
        let folder = try StoreFolder()
        let path = folder.path + "/health.sqlite"
        let identity = AppIdentity("com.example.first")
        weak var connection: StoreConnection?
        do {
            let store = try HKHealthStore(path: path, identity: identity)
            try await StoreFixture.requestAuthorization(store)
            try await store.save(StoreFixture().walk())
            connection = store.connection
        }
        #expect(await eventually { connection == nil })
        let store = try HKHealthStore(path: path, identity: identity)
        #expect(store.authorizationStatus(for: StoreFixture.steps) == .sharingAuthorized)
        #expect(try store.visibleCount(StoreFixture.steps) == 1)
    }

    @Test("an invalid file is an error when opened by path, and on each call as the default store")
    func noStore() async throws {
        let folder = try StoreFolder()
        let path = folder.path + "/other.sqlite"
        try Data("hello".utf8).write(to: URL(fileURLWithPath: path))
        let opening = await failure { _ = try HKHealthStore(path: path) }
        #expect(opening?.code == .errorHealthDataUnavailable)
        let lazily = HKHealthStore(
            _connection: StoreRegistry.connection(path: path, options: .init()),
            identity: .current)
        let request = await failure { try await StoreFixture.requestAuthorization(lazily) }
        #expect(request?.code == .errorHealthDataUnavailable)
        let saving = await failure { try await lazily.save(StoreFixture().walk()) }
        #expect(saving?.code == .errorHealthDataUnavailable)
        #expect(lazily.authorizationStatus(for: StoreFixture.steps) == .notDetermined)
        let sex = await failure { _ = try lazily.biologicalSex() }
        #expect(sex?.code == .errorHealthDataUnavailable)
    }

    @Test("§8.8 calls fail with code 1 on an unavailable device, with code 2 on a restricted one")
    func availability() async throws {
        for (availability, code) in [
            (
                HealthStoreConfiguration.HealthDataAvailability.unavailable,
                HKError.Code.errorHealthDataUnavailable
            ),
            (.restricted, .errorHealthDataRestricted),
        ] {
            let fixture = StoreFixture { $0.availability = availability }
            let store = fixture.store
            let errors = [
                await failure { try await StoreFixture.requestAuthorization(store) },
                await failure { try await store.save(fixture.walk()) },
                await failure { try await store.delete(fixture.walk()) },
                await failure { _ = try await store.preferredUnits(for: [StoreFixture.steps]) },
                await failure { _ = try store.bloodType() },
                await failure { _ = try store.visibility(toRead: [StoreFixture.steps]) },
            ]
            #expect(errors.map { $0?.code } == Array(repeating: code, count: errors.count))
        }
    }
}

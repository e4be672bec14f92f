import Foundation
import GRDB
import HealthEngine
import HealthStorage
import Testing

@Suite("A store outlives its catalogue")
struct CatalogueAdoptionTests {
    @Test("a type that the catalogue has learnt since takes its number along with its samples")
    func adoption() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/adopt-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/health.sqlite"
        try SampleStore(at: path, access: .creating).close()
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO type (code, identifier, kind) VALUES (20001, 'HKQuantityTypeIdentifierStepCount', 1);
                    INSERT INTO origin (id) VALUES (1);
                    INSERT INTO sample (sequence, type, start_time, key, end_time, origin, value)
                    VALUES (1, 20001, 0, 0, 60, 1, 12);
                    """)
        }
        try queue.close()
        let store = try SampleStore(at: path, access: .writing)
        let steps = try store.type(named: "stepCount")
        #expect(try store.samples(SampleQuestion(steps)).samples.map(\.value) == [12])
        #expect(try store.types().map(\.type.code) == [steps.code])
        try store.close()
    }
}

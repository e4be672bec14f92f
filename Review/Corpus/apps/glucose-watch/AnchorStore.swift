// Anchors in one file for each type.
import Foundation
import HealthKit

final class AnchorStore {
    private let directory: URL
    private let lock = NSLock()

    init(directory: URL) {
        self.directory = directory
    }

    subscript(type: HKSampleType) -> HKQueryAnchor? {
        get {
            lock.lock()
            defer { lock.unlock() }
            guard let data = try? Data(contentsOf: url(for: type)) else { return nil }
            return try? NSKeyedUnarchiver.unarchivedObject(
                ofClass: HKQueryAnchor.self, from: data)
        }
        set {
            lock.lock()
            defer { lock.unlock() }
            guard let newValue,
                let data = try? NSKeyedArchiver.archivedData(
                    withRootObject: newValue, requiringSecureCoding: true)
            else {
                try? FileManager.default.removeItem(at: url(for: type))
                return
            }
            try? data.write(
                to: url(for: type), options: [.atomic, .completeFileProtectionUnlessOpen])
        }
    }

    private func url(for type: HKSampleType) -> URL {
        directory.appendingPathComponent("\(type.identifier).anchor")
    }
}

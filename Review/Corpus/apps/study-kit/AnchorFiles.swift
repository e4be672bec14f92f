import Foundation
import HealthKit

public struct AnchorFiles: Sendable {
    let directory: URL

    public init(directory: URL) { self.directory = directory }

    private func file(for type: HKSampleType) -> URL {
        directory.appending(component: type.identifier).appendingPathExtension("anchor")
    }

    public func anchor(for type: HKSampleType) -> HKQueryAnchor? {
        guard let data = try? Data(contentsOf: file(for: type)) else { return nil }
        return try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
    }

    public func keep(_ anchor: HKQueryAnchor, for type: HKSampleType) throws {
        let data = try NSKeyedArchiver.archivedData(withRootObject: anchor, requiringSecureCoding: true)
        try data.write(to: file(for: type), options: [.atomic, .completeFileProtectionUnlessOpen])
    }

    public func forget(_ type: HKSampleType) throws {
        try FileManager.default.removeItem(at: file(for: type))
    }
}

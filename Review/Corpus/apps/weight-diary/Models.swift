// An entry of the diary and the anchor it was synced to.
import Foundation
import HealthKit
import SwiftData

@Model
final class Entry {
    @Attribute(.unique) var healthUUID: UUID
    var date: Date
    var kilograms: Double
    var note: String
    @Attribute(.externalStorage) var photo: Data?
    var isOwn: Bool

    init(sample: HKQuantitySample, note: String = "") {
        healthUUID = sample.uuid
        date = sample.startDate
        kilograms = sample.quantity.doubleValue(for: .gramUnit(with: .kilo))
        self.note = note
        isOwn = sample.sourceRevision.source == .default()
    }
}

@Model
final class AnchorRecord {
    @Attribute(.unique) var type: String
    var data: Data

    init(type: String, data: Data) {
        self.type = type
        self.data = data
    }
}

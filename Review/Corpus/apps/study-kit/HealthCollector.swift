//  StudyKit: collection of HealthKit data for research, configured by the study.

import Foundation
import HealthKit

public protocol StudyStandard: Actor {
    func add(_ samples: [HKSample], of type: HKSampleType) async throws
    func remove(_ objects: [HKDeletedObject], of type: HKSampleType) async throws
}

public enum DeliverySetting: Sendable {
    case manual
    case anchored(background: Bool)
}

/// Collects one type and hands it to the standard, additions and deletions.
@Observable
public final class HealthCollector {

    public let type: HKSampleType
    private let store: HKHealthStore
    private let standard: any StudyStandard
    private let anchors: AnchorFiles
    @ObservationIgnored private var observer: HKObserverQuery?
    public private(set) var isActive = false

    public init(type: HKSampleType, store: HKHealthStore, standard: any StudyStandard, anchors: AnchorFiles) {
        self.type = type
        self.store = store
        self.standard = standard
        self.anchors = anchors
    }

    @MainActor
    public func start(_ setting: DeliverySetting) async throws {
        switch setting {
        case .manual:
            try await collect()
        case .anchored(let background):
            let query = HKObserverQuery(sampleType: type, predicate: nil) { [weak self] _, done, error in
                guard let self, error == nil else {
                    done()
                    return
                }
                Task {
                    try? await self.collect()
                    done()
                }
            }
            store.execute(query)
            observer = query
            if background {
                try await store.enableBackgroundDelivery(for: type, frequency: .hourly)
            }
        }
        isActive = true
    }

    @MainActor
    public func stop() {
        if let observer { store.stop(observer) }
        observer = nil
        isActive = false
    }

    public func collect() async throws {
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.sample(type: type, predicate: studyPredicate)],
            anchor: anchors.anchor(for: type))
        let result = try await descriptor.result(for: store)
        try await standard.add(result.addedSamples, of: type)
        try await standard.remove(result.deletedObjects, of: type)
        try anchors.keep(result.newAnchor, for: type)
    }

    private var studyPredicate: NSPredicate {
        HKQuery.predicateForSamples(withStart: StudySettings.enrolled, end: nil, options: .strictEndDate)
    }
}

public enum StudySettings {
    public static var enrolled: Date {
        UserDefaults.standard.object(forKey: "study.enrolled") as? Date ?? .now
    }
}

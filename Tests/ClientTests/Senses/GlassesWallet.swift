import Foundation
import HealthKit

/// Keeps prescriptions of glasses and contact lenses, in the manner of an optician's app.
final class GlassesWallet {
    private let healthStore: HKHealthStore
    let type = HKObjectType.visionPrescriptionType()

    init(healthStore: HKHealthStore) { self.healthStore = healthStore }

    func authorizeSaving() async throws {
        try await healthStore.requestAuthorization(toShare: [type], read: [])
    }

    /// Asks the person to choose prescriptions of other apps.
    func chooseOthers(matching predicate: NSPredicate? = nil) async throws {
        try await healthStore.requestPerObjectReadAuthorization(for: type, predicate: predicate)
    }

    func saveGlasses(issued: Date, expires: Date?) async throws -> HKGlassesPrescription {
        func diopters(_ value: Double) -> HKQuantity {
            HKQuantity(unit: .diopter(), doubleValue: value)
        }
        func millimeters(_ value: Double) -> HKQuantity {
            HKQuantity(unit: .meterUnit(with: .milli), doubleValue: value)
        }
        let prism = HKVisionPrism(
            verticalAmount: HKQuantity(unit: .prismDiopter(), doubleValue: 3), verticalBase: .up,
            horizontalAmount: HKQuantity(unit: .prismDiopter(), doubleValue: 4),
            horizontalBase: .in, eye: .right)
        let right = HKGlassesLensSpecification(
            sphere: diopters(-2.25), cylinder: diopters(-0.75),
            axis: HKQuantity(unit: .degreeAngle(), doubleValue: 170), addPower: diopters(1.5),
            vertexDistance: millimeters(12), prism: prism, farPupillaryDistance: millimeters(31.5),
            nearPupillaryDistance: millimeters(30))
        let left = HKGlassesLensSpecification(
            sphere: diopters(-1.75), cylinder: nil, axis: nil, addPower: nil, vertexDistance: nil,
            prism: nil, farPupillaryDistance: nil, nearPupillaryDistance: nil)
        let prescription = HKGlassesPrescription(
            rightEyeSpecification: right, leftEyeSpecification: left, dateIssued: issued,
            expirationDate: expires, device: nil,
            metadata: [HKMetadataKeyGlassesPrescriptionDescription: "Reading"])
        try await healthStore.save(prescription)
        return prescription
    }

    func saveContacts(brand: String, issued: Date) async throws {
        let lens = HKContactsLensSpecification(
            sphere: HKQuantity(unit: .diopter(), doubleValue: -3), cylinder: nil, axis: nil,
            addPower: nil,
            baseCurve: HKQuantity(unit: .meterUnit(with: .milli), doubleValue: 8.6),
            diameter: HKQuantity(unit: .meterUnit(with: .milli), doubleValue: 14.2))
        try await healthStore.save(
            HKContactsPrescription(
                rightEyeSpecification: lens, leftEyeSpecification: nil, brand: brand,
                dateIssued: issued, expirationDate: nil, device: nil, metadata: nil))
    }

    func all() async throws -> [HKVisionPrescription] {
        try await HKSampleQueryDescriptor(
            predicates: [.visionPrescription()], sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: healthStore)
    }

    func new(
        since anchor: HKQueryAnchor?
    ) async throws -> HKAnchoredObjectQueryDescriptor<HKVisionPrescription>.Result {
        try await HKAnchoredObjectQueryDescriptor(
            predicates: [.visionPrescription()], anchor: anchor
        ).result(for: healthStore)
    }

    func sources() async throws -> Set<String> {
        Set(
            try await HKSourceQueryDescriptor(predicate: .visionPrescription())
                .result(for: healthStore).map(\.name))
    }

    /// A line such as "R -2.25 -0.75 x170".
    func title(_ lens: HKLensSpecification?, _ eye: String) -> String? {
        guard let lens else { return nil }
        var parts = [eye, "\(lens.sphere.doubleValue(for: .diopter()))"]
        if let cylinder = lens.cylinder, let axis = lens.axis {
            parts.append("\(cylinder.doubleValue(for: .diopter()))")
            parts.append("x\(Int(axis.doubleValue(for: .degreeAngle())))")
        }
        return parts.joined(separator: " ")
    }

    func delete(_ prescription: HKVisionPrescription) async throws {
        try await healthStore.delete(prescription)
    }
}

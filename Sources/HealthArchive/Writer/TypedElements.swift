import HealthEngine
import HealthStorage

/// The samples of elements that earlier versions kept as text. If an element has become a sample
/// with a later import, an export writes the sample only.
///
/// The text stays in the store, because the undo of that import removes the sample again.
struct TypedElements {
    /// What the text of an element and its sample have in common.
    private struct Place: Hashable {
        var type: Int32
        var start: Double
        var end: Double
        // Several prescriptions can be issued on one day.
        var expiration: Double?
        var brand: String?
    }

    private static let types = [
        "Audiogram": "audiogram", "VisionPrescription": "visionPrescription",
    ]

    private var places: Set<Place> = []

    /// Reads the times of all samples of these types.
    ///
    /// - Throws: `StoreError` if the store can't be read.
    /// - Complexity: O(samples of these types).
    init(of store: SampleStore) throws {
        for name in TypedElements.types.values {
            guard let type = Catalogue.type(named: name) else { continue }
            let found = try store.objects([SampleRequest(type)]).batch
            for (index, sample) in found.samples.enumerated() {
                var place = Place(type: type.code, start: sample.start, end: sample.end)
                if case .visionPrescription(let content) = found.details[index] {
                    (place.expiration, place.brand) = (content.expiration, content.brand)
                }
                places.insert(place)
            }
        }
    }

    /// Returns whether the store has a sample of the element's type and times.
    func contains(_ element: RawElement) -> Bool {
        guard element.reason == .untyped, !places.isEmpty,
            let type = TypedElements.types[element.element].flatMap({ Catalogue.type(named: $0) }),
            let place = TypedElements.place(of: element, type.code)
        else { return false }
        return places.contains(place)
    }

    private static func place(of element: RawElement, _ type: Int32) -> Place? {
        var scanner = ElementScanner(
            reading: TextStream(element.xml), name: "", bufferByteCount: 64 << 10)
        var dates = CachedDateParser()
        while let event = try? scanner.next() {
            guard case .start(let tag) = event else { continue }
            if element.element == "VisionPrescription" {
                guard let heading = try? PrescriptionHeading.read(tag, &dates).get() else {
                    return nil
                }
                return Place(
                    type: type, start: heading.times.start, end: heading.times.end,
                    expiration: heading.prescription.expiration, brand: heading.prescription.brand)
            }
            let times = try? SampleTimes.read(RecordAttributes(tag), &dates).get()
            return times.map { Place(type: type, start: $0.start, end: $0.end) }
        }
        return nil
    }
}

import HealthEngine
import HealthStorage

/// A blood pressure or a meal with its components.
///
/// The components are also sent as samples with the same UUIDs, in this body or in another.
struct OpenHealthExporterCorrelation {
    struct Component {
        let uuid: SampleUUID
        /// The sample as the correlation describes it: without a device and metadata of its own.
        let sample: ReceivedSample
    }

    let sample: ReceivedSample
    let components: [Component]

    init(_ record: JSONValue, receivedAt: Double) throws(UnreadableRecord) {
        guard let name = record["correlationType"]?.string,
            ["bloodPressure", "food"].contains(name), let type = Catalogue.type(named: name)
        else { throw .unknown("correlation \(record["correlationType"]?.string ?? "")") }
        let frame = try OpenHealthExporterFrame(record, receivedAt: receivedAt)
        guard let elements = record["components"]?.array, !elements.isEmpty else {
            throw .invalid(.value, field: "components")
        }
        var components: [Component] = []
        for element in elements {
            do throws(UnreadableRecord) {
                components.append(
                    try OpenHealthExporterCorrelation.component(element, of: frame))
            } catch { throw error.within("components") }
        }
        guard Set(components.map(\.uuid)).count == components.count else {
            throw .invalid(.identifier, field: "components.uuid")
        }
        let types = components.compactMap { Catalogue.type(code: $0.sample.type)?.name }
        guard type.requiredMembers.allSatisfy({ types.contains($0) }) else {
            throw .invalid(.value, field: "components")
        }
        sample = frame.sample(type)
        self.components = components
    }

    private static func component(
        _ element: JSONValue, of frame: OpenHealthExporterFrame
    ) throws(UnreadableRecord) -> Component {
        let type = try OpenHealthExporterMetric.sampleType(of: element)
        guard type.kind == .quantity else { throw .invalid(.type, field: "hkIdentifier") }
        let uuid = try OpenHealthExporterFrame.uuid(element, "uuid")
        let measured = try OpenHealthExporterValue(element, of: type)
        var sample = frame.sample(type, uuid: uuid)
        sample.value = measured.value
        sample.origin.unit = measured.unit
        return Component(uuid: uuid, sample: sample)
    }
}

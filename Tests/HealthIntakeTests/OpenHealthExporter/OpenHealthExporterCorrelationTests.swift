import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct OpenHealthExporterCorrelationTests {
    private let day = ExporterText.day

    private func pressure(_ number: Int, systolic: String = "121", _ more: String = "") -> String {
        ExporterText.record(
            "sample.correlation", number,
            #""correlationType":"bloodPressure","components":["#
                + component(2, "Systolic", systolic) + "," + component(3, "Diastolic", "79")
                + #"]\#(more)"#)
    }

    private func component(_ number: Int, _ name: String, _ value: String) -> String {
        #"{"hkIdentifier":"HKQuantityTypeIdentifierBloodPressure\#(name)","unit":"mmHg","#
            + #""uuid":"\#(ExporterText.uuid(number))","value":\#(value)}"#
    }

    /// A component as a sample, from a cuff.
    private func sample(_ number: Int, _ name: String, _ value: String) -> String {
        ExporterText.record(
            "sample.quantity", number,
            #""device":{"name":"Cuff"},"#
                + #""hkIdentifier":"HKQuantityTypeIdentifierBloodPressure\#(name)","#
                + #""source":{"name":"Cuff app"},"unit":"mmHg","value":\#(value)"#)
    }

    @Test(
        "components that are also sent as samples count once, in any order",
        arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    func componentsInBody(order: [Int]) throws {
        let records = [
            pressure(1), sample(2, "Systolic", "121"), sample(3, "Diastolic", "79"),
        ]
        let intake = try CollectedIntake(exporter: order.map { records[$0] })
        #expect(
            intake.samples.map(\.type) == [
                "bloodPressure", "bloodPressureSystolic", "bloodPressureDiastolic",
            ])
        #expect(intake.samples.map(\.identity) == [1, 2, 3].map(ExporterText.identity))
        #expect(intake.samples.map(\.parent) == [nil, 0, 0])
        #expect(intake.samples[0].value.isNaN)
        #expect(intake.samples.dropFirst().map(\.value) == [121, 79])
        #expect(intake.samples.map(\.unit) == [nil, "mmHg", "mmHg"])
        #expect(intake.samples.map(\.start) == [28_800, 28_800, 28_800].map { day + $0 })
        #expect(intake.samples.map(\.end) == [29_400, 29_400, 29_400].map { day + $0 })
        #expect(intake.samples.map(\.source.name) == ["", "Cuff app", "Cuff app"])
        #expect(intake.samples.map { $0.origin.device?.name } == [nil, "Cuff", "Cuff"])
        #expect(intake.recordCount == 3)
        #expect(intake.unknown.isEmpty && intake.rejections.isEmpty)
    }

    @Test("components that come with their correlation only have its times and source")
    func componentsElsewhere() throws {
        let intake = try CollectedIntake(exporter: [
            pressure(1, #","source":{"name":"Cuff app"}"#)
        ])
        #expect(intake.samples.map(\.identity) == [1, 2, 3].map(ExporterText.identity))
        #expect(intake.samples.map(\.parent) == [nil, 0, 0])
        #expect(intake.samples.dropFirst().map(\.value) == [121, 79])
        #expect(intake.samples.map(\.unit) == [nil, "mmHg", "mmHg"])
        #expect(intake.samples.map(\.start) == [28_800, 28_800, 28_800].map { day + $0 })
        #expect(intake.samples.map(\.end) == [29_400, 29_400, 29_400].map { day + $0 })
        #expect(intake.samples.map(\.source.name) == ["Cuff app", "Cuff app", "Cuff app"])
        #expect(intake.samples.map(\.index) == [0, 0, 0])
    }

    @Test("a correlation and its components are on one page, also if the samples are on others")
    func pages() throws {
        let records = [
            sample(3, "Diastolic", "79"), ExporterText.steps(9), pressure(1),
            sample(2, "Systolic", "121"),
        ]
        let body = ExporterText.batch(records)
        let intake = try CollectedIntake(.openHealthExporter, body, limit: 1)
        #expect(intake.pageSizes == [1, 1, 1, 1])
        #expect(
            intake.samples.map(\.type) == [
                "stepCount", "bloodPressure", "bloodPressureSystolic", "bloodPressureDiastolic",
            ])
        #expect(intake.samples.map(\.parent) == [nil, nil, 1, 1])
        #expect(intake.samples.map(\.index) == [1, 2, 2, 2])
        let rest = try CollectedIntake(.openHealthExporter, body, after: 3)
        #expect(rest.samples.isEmpty)
        #expect(rest.recordCount == 4)
    }

    @Test("of several copies of a sample that is a component, the last one counts")
    func corrected() throws {
        let intake = try CollectedIntake(exporter: [
            sample(2, "Systolic", "999"), pressure(1), sample(2, "Systolic", "118"),
        ])
        #expect(intake.samples.dropFirst().map(\.value) == [118, 79])
    }

    @Test("a correlation that is sent twice has its components once")
    func twice() throws {
        let intake = try CollectedIntake(exporter: [pressure(1), pressure(1, systolic: "125")])
        #expect(intake.samples.map(\.identity) == [1, 1, 2, 3].map(ExporterText.identity))
        #expect(intake.samples.map(\.parent) == [nil, nil, 1, 1])
        #expect(intake.samples.dropFirst(2).map(\.value) == [125, 79])
    }

    @Test("an invalid sample of a component is rejected, and the component stays")
    func invalidSample() throws {
        let intake = try CollectedIntake(exporter: [
            sample(2, "Systolic", "\"high\""), pressure(1), sample(3, "Diastolic", "79"),
        ])
        #expect(intake.rejections.map(\.reason) == [.value])
        #expect(intake.rejections.map(\.index) == [0])
        #expect(intake.samples.dropFirst().map(\.value) == [121, 79])
    }

    @Test("a sample of another type with the UUID of a component stays a sample of its own")
    func otherType() throws {
        let intake = try CollectedIntake(exporter: [ExporterText.steps(2), pressure(1)])
        #expect(
            intake.samples.map(\.type) == [
                "stepCount", "bloodPressure", "bloodPressureSystolic", "bloodPressureDiastolic",
            ])
        #expect(intake.samples.map(\.parent) == [nil, nil, 1, 1])
    }

    @Test("an invalid correlation is rejected, and samples with its UUIDs are samples of their own")
    func invalid() throws {
        let intake = try CollectedIntake(exporter: [
            pressure(1, systolic: "null"), sample(2, "Systolic", "121"),
            sample(3, "Diastolic", "79"),
        ])
        #expect(intake.rejections.map(\.reason) == [.value])
        #expect(intake.rejections.map(\.field) == ["components.value"])
        #expect(intake.samples.map(\.value) == [121, 79])
        #expect(intake.samples.map(\.parent) == [nil, nil])
    }

    @Test("a meal has the components that it names")
    func food() throws {
        let intake = try CollectedIntake(exporter: [
            ExporterText.record(
                "sample.correlation", 1,
                #""correlationType":"food","metadata":{"HKFoodType":"Soup"},"components":[{"#
                    + #""hkIdentifier":"HKQuantityTypeIdentifierDietaryProtein","unit":"g","#
                    + #""uuid":"\#(ExporterText.uuid(2))","value":12.5}]"#)
        ])
        #expect(intake.samples.map(\.type) == ["food", "dietaryProtein"])
        #expect(intake.samples.map(\.parent) == [nil, 0])
        #expect(intake.samples.last?.value == 12.5)
        #expect(intake.samples.last?.unit == "g")
        #expect(intake.samples.first?.metadata == ["HKFoodType": .string("Soup")])
    }

    @Test("correlations of other shapes are kept or rejected")
    func otherShapes() throws {
        func correlation(_ fields: String) -> String {
            ExporterText.record("sample.correlation", 1, fields)
        }
        let systolic = component(2, "Systolic", "121")
        let intake = try CollectedIntake(exporter: [
            correlation(#""correlationType":"dance","components":[\#(systolic)]"#),
            correlation(#""correlationType":"bloodPressure","components":[\#(systolic)]"#),
            correlation(#""correlationType":"food","components":[]"#),
            correlation(#""correlationType":"food","components":{}"#),
            correlation(#""correlationType":"food","components":[\#(systolic),\#(systolic)]"#),
            correlation(#""correlationType":"food","components":[{"hkIdentifier":"HKOther"}]"#),
            correlation(#""correlationType":"food","components":[5]"#),
        ])
        #expect(intake.samples.isEmpty)
        #expect(intake.unknown.map(\.name) == ["correlation dance", "HKOther", "metricId"])
        #expect(intake.rejections.map(\.reason) == [.value, .value, .value, .identifier])
        #expect(
            intake.rejections.map(\.field) == [
                "components", "components", "components", "components.uuid",
            ])
    }
}

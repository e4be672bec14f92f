import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct HealthAutoExportEnvelopeTests {
    private static let weight = #"""
        {"name":"weight_body_mass","units":"kg","data":[
            {"date":"2026-03-01 07:31:12 +0100","qty":71.35,"source":"Scale"}]}
        """#

    @Test(
        "an export without data is read and has no records",
        arguments: [
            #"{"data":{}}"#, #"{"data":null}"#, #"{"data":{"metrics":[]}}"#, #"{"metrics":[]}"#,
            #"{"data":{"metrics":null,"workouts":null,"ecg":null}}"#,
            #"{"data":{"metrics":[{"name":"step_count","units":"count","data":[]}]}}"#,
            #"{"data":{"metrics":[{"name":"step_count","units":"count","data":null}]}}"#,
            #"{"data":{"metrics":[{"name":"step_count","units":"count"}]}}"#,
            #"{"data":{"metrics":[{}]}}"#,
        ])
    func empty(body: String) throws {
        let read = try AppExport.read(body)
        #expect(read.recordCount == 0)
        #expect(read.counts == [0, 0, 0, 0])
    }

    @Test(
        "another body is refused as a whole",
        arguments: [
            "{}", "[]", "1", #""data""#, #"{"data":[]}"#, #"{"data":1}"#, #"{"data":"text"}"#,
            #"{"records":[]}"#, #"{"provider":"apple"}"#,
        ])
    func otherBodies(body: String) {
        let error = #expect(throws: IntakeError.self) { try AppExport.read(body) }
        #expect(error?.description.hasPrefix("The body has no “data”") == true)
    }

    @Test(
        "a damaged body is an error",
        arguments: ["", "{", #"{"data":{"metrics":[}}"#, #"{"data":{}} x"#, #"{"data":{}"#])
    func damaged(body: String) {
        #expect(throws: IntakeError.self) { try AppExport.read(body) }
    }

    @Test(
        "lists are read in data and at the root, with their names in any case",
        arguments: [
            #"{"data":{"metrics":[\#(weight)]}}"#, #"{"metrics":[\#(weight)]}"#,
            #"{"data":{"Metrics":[\#(weight)]}}"#,
        ])
    func places(body: String) throws {
        let read = try AppExport.read(body, aggregation: "None")
        let sample = try #require(read.samples.first)
        #expect(read.counts == [1, 0, 0, 0])
        #expect(read.recordCount == 1)
        #expect(sample.type == "bodyMass")
        #expect(sample.value == 71.35 && sample.unit == "kg")
        #expect(sample.start == AppExport.utc(2026, 3, 1, 6, 31, 12))
        #expect(sample.end == sample.start)
        #expect(sample.source.name == "Scale" && sample.source.bundleIdentifier == "")
        #expect(sample.identity == .point)
        #expect(sample.index == 0)
        #expect(sample.metadata == AppExport.verdict("header"))
    }

    @Test("a metric is read whatever the order of its members")
    func order() throws {
        let datum = #"{"source":"Scale","qty":71.35,"date":"2026-03-01 07:31:12 +0100"}"#
        for metric in [
            #"{"name":"weight_body_mass","units":"kg","data":[\#(datum)]}"#,
            #"{"data":[\#(datum)],"units":"kg","name":"weight_body_mass"}"#,
            #"{"units":"kg","data":[\#(datum)],"more":{"data":[1]},"name":"weight_body_mass"}"#,
        ] {
            let read = try AppExport.read(
                #"{"data":{"metrics":[\#(metric),\#(metric)],"other":[7]}}"#, aggregation: "None")
            #expect(read.samples.map(\.value) == [71.35, 71.35])
            #expect(read.samples.map(\.type) == ["bodyMass", "bodyMass"])
            #expect(read.samples.map(\.index) == [0, 1])
            #expect(read.unknown.map(\.name) == ["other"])
            #expect(read.unknown.map(\.json) == ["7"])
        }
    }

    @Test("of members with one name, the last one counts")
    func duplicateNames() throws {
        let read = try AppExport.read(
            #"""
            {"data":{"metrics":[{"name":"height","units":"cm","data":[1,2],
              "name":"weight_body_mass","units":"lb","data":[
                {"date":"x","date":"2026-03-01 07:31:12 +0100","qty":1,"qty":157.5}]}]}}
            """#, aggregation: "None")
        #expect(read.counts == [1, 0, 0, 0])
        #expect(read.samples.first?.type == "bodyMass")
        #expect(read.samples.first?.value == 157.5)
        #expect(read.samples.first?.unit == "lb")
    }

    @Test("members and lists that are not known are kept and counted")
    func unknownMembers() throws {
        let read = try AppExport.read(
            #"{"version":"9","data":{"moods":[{"a":1},2],"extra":{"b":null},"none":null},"x":[]}"#)
        #expect(read.recordCount == 4)
        #expect(read.unknown.map(\.name) == ["version", "moods", "moods", "extra"])
        #expect(read.unknown.map(\.json) == [#""9""#, #"{"a":1}"#, "2", #"{"b":null}"#])
        #expect(read.unknown.map(\.index) == [0, 1, 2, 3])
        #expect(read.counts == [0, 0, 4, 0])
    }

    @Test("values of other types than documented are rejected one by one")
    func wrongTypes() throws {
        let read = try AppExport.read(
            #"""
            {"data":{"metrics":["text",{"name":"height","units":"cm","data":{"qty":1}},
              {"name":"height","units":"cm","data":[null,"text",[]]}],
             "workouts":[5,{}],"ecg":{"start":1},"symptoms":["x"],"stateOfMind":3}}
            """#)
        #expect(read.recordCount == 10)
        #expect(
            read.rejections.map(\.reason) == [
                .type, .type, .type, .type, .type, .type, .date, .type, .type, .type,
            ])
        #expect(
            read.rejections.map(\.field) == [
                "metrics", "data", nil, nil, nil, "workouts", "start", "ecg", nil, "stateOfMind",
            ])
        #expect(read.rejections.map(\.index) == Array(0..<10))
        #expect(read.rejections[1].json == #"{"name":"height","units":"cm","data":[{"qty":1}]}"#)
        #expect(read.counts == [0, 0, 0, 10])
    }

    @Test("an unknown metric is kept with its name and units, datum by datum")
    func unknownMetric() throws {
        let data = #"{"date":"2026-03-01 07:00:00 +0100","qty":3},{"qty":4}"#
        let read = try AppExport.metric("moonlight", "lx", data)
        #expect(read.unknown.map(\.name) == ["moonlight", "moonlight"])
        #expect(
            read.unknown.first?.json == #"""
                {"name":"moonlight","units":"lx","data":[\#
                {"date":"2026-03-01 07:00:00 +0100","qty":3}]}
                """#)
        #expect(read.unknown.last?.json == #"{"name":"moonlight","units":"lx","data":[{"qty":4}]}"#)
        let nameless = try AppExport.read(#"{"metrics":[{"data":[{"qty":5}],"name":6}]}"#)
        #expect(nameless.unknown.map(\.name) == ["metrics"])
        #expect(nameless.unknown.map(\.json) == [#"{"name":6,"data":[{"qty":5}]}"#])
    }

    @Test("a resent body is continued after the records that are stored, with the same verdict")
    func resent() throws {
        let data = (0..<5).map {
            #"{"date":"2026-03-0\#($0 + 1) 00:00:00 +0000","qty":\#($0)}"#
        }.joined(separator: ",")
        let body = #"""
            {"data":{"workouts":[{}],"metrics":[
              {"data":[\#(data)],"name":"step_count","units":"count"}],"ecg":[{}]}}
            """#
        let whole = try AppExport.read(body, limit: 2)
        #expect(whole.recordCount == 7)
        #expect(whole.pageSizes == [2, 2, 2, 1])
        #expect(whole.totals.map(\.value) == [0, 1, 2, 3, 4])
        #expect(whole.totals.map(\.index) == [1, 2, 3, 4, 5])
        for first in 0...7 {
            let rest = try AppExport.read(body, after: first)
            #expect(rest.recordCount == 7)
            #expect(rest.totals == whole.totals.filter { $0.index >= first })
            #expect(rest.rejections == whole.rejections.filter { $0.index >= first })
        }
    }
}

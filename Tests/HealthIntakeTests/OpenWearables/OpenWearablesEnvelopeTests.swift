import HealthEngine
import HealthStorage
import Testing

@testable import HealthIntake

@Suite struct OpenWearablesEnvelopeTests {
    private static let step = #"""
        {"id":"5B1F0A6C-0000-4000-8000-00000000000A","startDate":"2026-03-01T08:15:00Z",
         "endDate":"2026-03-01T08:16:30Z","type":"HKQuantityTypeIdentifierStepCount",
         "value":3,"unit":"count"}
        """#

    @Test(
        "empty requests have no records",
        arguments: [
            #"{"provider":"apple","data":{"workouts":[],"records":[],"sleep":[]}}"#,
            #"{"data":{}}"#, #"{"provider":null,"data":{"records":null}}"#,
        ])
    func empty(body: String) throws {
        let read = try CollectedIntake(.openWearables, body)
        #expect(read.recordCount == 0 && read.counts == [0, 0, 0, 0])
    }

    @Test(
        "nothing of another provider is stored, even if its name follows the data",
        arguments: [
            #"{"provider":"samsung","data":{"records":[\#(step)]}}"#,
            #"{"data":{"records":[\#(step)]},"provider":"google"}"#,
            #"{"data":{"records":[\#(step)]},"provider":5}"#,
        ])
    func otherProviders(body: String) {
        var pages = 0
        let request = IntakeRequest(
            .openWearables, IntakeBody(body), receivedAt: 0)
        #expect(throws: IntakeError.unsupportedProvider) {
            try request.readPages(limit: 1) { _ in pages += 1 }
        }
        #expect(pages == 0)
    }

    @Test(
        "other bodies are refused",
        arguments: ["[]", "{}", #"{"provider":"apple"}"#, #"{"data":[]}"#, #"{"data":null}"#])
    func otherBodies(body: String) {
        let error = #expect(throws: IntakeError.self) { try CollectedIntake(.openWearables, body) }
        #expect(error?.description.hasPrefix("The body has no “data”") == true)
    }

    @Test(
        "damaged bodies are errors",
        arguments: ["", "{", #"{"data":{"records":[1}}"#, #"{"data":{"records":[]}} ,"#])
    func damaged(body: String) {
        #expect(throws: IntakeError.self) { try CollectedIntake(.openWearables, body) }
    }

    @Test("members that are not known are kept, and lists of another type rejected")
    func unknownMembers() throws {
        let read = try CollectedIntake(
            .openWearables,
            #"""
            {"deletions":["a"],"sdkVersion":"0.14.0","battery":0.5,"none":null,
             "data":{"records":{"id":1},"sleep":2,"workouts":null,"heartbeats":[{"t":3}],
               "count":4}}
            """#)
        #expect(read.rejections.map(\.field) == ["records", "sleep"])
        #expect(read.rejections.map(\.reason) == [.type, .type])
        #expect(read.rejections.map(\.json) == [#"{"id":1}"#, "2"])
        #expect(read.unknown.map(\.name) == ["heartbeats", "count", "deletions", "battery"])
        #expect(read.unknown.map(\.json) == [#"{"t":3}"#, "4", #""a""#, "0.5"])
        #expect(read.unknown.map(\.index) == [2, 3, 4, 5])
        #expect(read.recordCount == 6)
    }

    @Test("a resent request is continued after the records that are stored")
    func resent() throws {
        let body = #"""
            {"provider":"apple","data":{"records":[\#(Self.step),5,\#(Self.step)],
             "sleep":[6],"workouts":[7,8]}}
            """#
        let whole = try CollectedIntake(.openWearables, body, limit: 4)
        #expect(whole.recordCount == 6 && whole.pageSizes == [4, 2])
        #expect(whole.samples.map(\.index) == [0, 2])
        #expect(whole.rejections.map(\.json) == ["5", "6", "7", "8"])
        for first in 0...6 {
            let rest = try CollectedIntake(.openWearables, body, after: first)
            #expect(rest.recordCount == 6)
            #expect(rest.samples.map(\.index) == [0, 2].filter { $0 >= first })
            #expect(rest.rejections == whole.rejections.filter { $0.index >= first })
        }
    }

    @Test("sleep stages of both versions are HealthKit's values, and others are kept")
    func sleep() throws {
        let stages = [
            "in_bed", "sleeping", "awake", "light", "core", "deep", "rem", "unknown", "nap",
        ]
        let read = try SDKRequest.read(
            sleep: stages.map {
                #"""
                {"id":"\#(SDKRequest.id)","parentId":null,"stage":"\#($0)",\#(SDKRequest.times),
                 "zoneOffset":"-05:00","source":{"appId":"com.apple.health","name":"Watch"},
                 "values":null,"metadata":null}
                """#
            }.joined(separator: ",") + #",{"id":"\#(SDKRequest.id)",\#(SDKRequest.times)}"#)
        #expect(read.samples.map(\.value) == [0, 1, 2, 3, 3, 4, 5])
        for sample in read.samples {
            #expect(sample.type == "sleepAnalysis" && sample.unit == nil)
            #expect(sample.identity == .healthKit(SDKRequest.uuid))
            #expect(sample.start == SDKRequest.start && sample.end == SDKRequest.end)
            #expect(sample.source.name == "Watch")
            #expect(sample.source.bundleIdentifier == "com.apple.health")
            #expect(sample.metadata == ["openwearables.zoneOffset": .string("-05:00")])
        }
        #expect(
            read.unknown.map(\.name) == [
                "sleep stage unknown", "sleep stage nap", "sleep stage ",
            ])
        #expect(read.unknown.map(\.index) == [7, 8, 9])
    }

    @Test("sleep that is invalid is rejected")
    func invalidSleep() throws {
        let read = try SDKRequest.read(
            sleep: #"""
                {"id":"x","stage":"core",\#(SDKRequest.times)},
                {"id":"\#(SDKRequest.id)","stage":"core","startDate":"2026-03-01T08:15:00Z",
                 "endDate":"2026-03-01T08:14:00Z"}
                """#)
        #expect(read.rejections.map(\.reason) == [.identifier, .endBeforeStart])
    }
}

import Foundation
import HealthDashboard
import HealthTesting
import Testing

@testable import HealthServer

/// What pages suggest to the owner of a store, and to a person of a server of many people.
@Suite struct PageAudienceTests {
    private static let owner = PageAudience.owner(commandOptions: " --as Anna")

    /// Pages and messages that suggest commands to an owner.
    private func pages(_ audience: PageAudience) -> [(name: String, html: String)] {
        let frame = PageFrame(formKey: "key", audience: audience)
        var (why, calibrated) = (PageExamples.why, PageExamples.whyCalibrated)
        var (checkUp, data) = (PageExamples.checkUp, PageExamples.data)
        var weight = PageExamples.weight
        (weight.notes, data.types, data.sentence) = ([], [], DataPage.emptySentence)
        why.suggestCommands(to: audience)
        calibrated.suggestCommands(to: audience)
        checkUp.suggestCommands(to: audience)
        data.suggestCommands(to: audience)
        let time = PageExamples.weight.freshness.asOf
        return [
            ("why", why.html(frame)), ("why, calibrated", calibrated.html(frame)),
            ("check-up", checkUp.html(frame)), ("data", data.html(frame)),
            ("weight", weight.html(frame)),
            ("loading", frame.html(ViewState<WeightPage>.loading)),
            (
                "no health data",
                frame.html(
                    ViewState<WeightPage>.unavailable(.noHealthData, last: nil, asOf: time))
            ),
            (
                "failed",
                frame.html(
                    ViewState<WeightPage>.unavailable(.failed("It failed."), last: nil, asOf: time))
            ),
        ]
    }

    @Test("a person gets no command, and a link to the accesses")
    func person() throws {
        for (name, html) in pages(.person) {
            #expect(!html.contains("openhealth "), "\(name)")
            #expect(!html.contains("<code class=\"command\">"), "\(name)")
            #expect(!html.contains("To include it:"), "\(name)")
            let links = try Markup(html).all("a").filter { $0.attributes["href"] == "/accesses" }
            #expect(links.count == 1, "\(name)")
        }
        let loading = PageFrame(audience: .person).html(ViewState<WeightPage>.loading)
        #expect(loading.contains("when your phone has sent it"))
    }

    @Test("the owner gets commands with the options of the store, and no link to accesses")
    func owner() {
        for (name, html) in pages(Self.owner) {
            #expect(html.contains("openhealth "), "\(name)")
            #expect(!html.contains("/accesses"), "\(name)")
        }
        let loading = PageFrame(audience: Self.owner).html(ViewState<WeightPage>.loading)
        #expect(loading.contains("openhealth import export.zip --as Anna"))
    }

    @Test("no page or JSON of a person without data has a command")
    func emptyStore() async throws {
        let server = try await PeopleServer()
        let cookie = try #require(try await server.logIn(server.ada.reading).cookie)
        for page in [
            "/", "/type", "/sleep", "/workouts", "/weight", "/why", "/data", "/check-up",
        ] {
            for path in [page, page + ".json"] {
                let response = try await server.running.send(path, cookie: cookie)
                #expect(!response.body.contains("openhealth "), "\(path)")
                let isPage = !path.hasSuffix(".json")
                #expect(response.body.contains("/accesses") == isPage, "\(path)")
            }
        }
        let data = try await server.running.send("/data", cookie: cookie)
        #expect(data.body.contains("when your phone has sent it to this server"))
        let accesses = try await server.running.send("/accesses", cookie: cookie)
        #expect(accesses.body.contains("<a href=\"/\">"))
    }

    @Test("a refusal of a server of many people names no command")
    func refusals() async throws {
        let server = try await PeopleServer()
        let wrongHost = try await server.running.send("/data", host: "example.org:1")
        let responses = try await [
            server.running.send("/data.json"), server.get("/v1/types", nil),
            server.get("/v1/people", nil), wrongHost,
            server.get("/v1/intake/health-auto-export", "x", "POST"),
        ]
        for response in responses {
            #expect(response.status == 401 || response.status == 421)
            #expect(!response.body.contains("openhealth "), "\(response.body)")
        }
    }
}

import Foundation
import Synchronization

/// A tab of a browser, and the events it reports.
final class BrowserTab: Sendable {
    /// The events since the last ``clear()``.
    struct RecordedEvents {
        /// Log entries, exceptions and failed requests, in the browser's words.
        var errors: [String] = []
        var requests: [String] = []
        /// Server-sent events.
        var events = 0
        /// The loader identifiers of documents that have finished loading, in order.
        var loaded: [String] = []
    }

    let tools: DevTools
    private let session: String
    private let recorded: RecordedEvents.Box

    /// Opens an empty tab.
    init(_ tools: DevTools) async throws {
        struct Target: Decodable { var targetId: String }
        struct Session: Decodable { var sessionId: String }
        let target = try await tools.send(
            "Target.createTarget", ["url": "about:blank"], as: Target.self)
        let session = try await tools.send(
            "Target.attachToTarget", ["targetId": .text(target.targetId), "flatten": true],
            as: Session.self
        ).sessionId
        let recorded = RecordedEvents.Box()
        tools.listen { event in
            if event.session == session { recorded.record(event) }
        }
        self.tools = tools
        self.session = session
        self.recorded = recorded
        for domain in ["Page", "Runtime", "Log", "Network", "Accessibility"] {
            try await send("\(domain).enable")
        }
        try await send("Page.setLifecycleEventsEnabled", ["enabled": true])
    }

    func send(_ method: String, _ parameters: JSONValue = [:]) async throws {
        _ = try await send(method, parameters, as: EmptyResult.self)
    }

    func send<Value: Decodable>(
        _ method: String, _ parameters: JSONValue = [:], as type: Value.Type
    ) async throws -> Value {
        try await tools.send(method, parameters, session: session, as: type)
    }

    // MARK: - Navigation

    /// Loads a page and waits for this document's load event. Events of the previous page may still
    /// arrive.
    func load(_ url: String) async throws {
        let loader = try await navigate(to: url)
        try await wait("for \(url)") { self.recorded.now.loaded.contains(loader) }
    }

    /// Starts to load a page.
    ///
    /// - Returns: The identifier of its loader.
    @discardableResult
    func navigate(to url: String) async throws -> String {
        struct Navigation: Decodable {
            var errorText: String?
            var loaderId: String?
        }
        let navigation = try await send("Page.navigate", ["url": .text(url)], as: Navigation.self)
        if let error = navigation.errorText {
            throw DevTools.Failed(description: "\(url): \(error)")
        }
        guard let loader = navigation.loaderId else {
            throw DevTools.Failed(description: "\(url) is the page that is there")
        }
        return loader
    }

    /// Waits until a condition is true.
    func wait(
        _ words: String, until isTrue: @Sendable () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + DevTools.timeout
        while try await !isTrue() {
            guard ContinuousClock.now < end else {
                throw DevTools.Failed(description: "waited in vain \(words)")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Waits until a JavaScript expression is true. It counts as false while no page is loaded.
    func wait(_ words: String, untilTrue expression: String) async throws {
        try await wait(words) { (try? await self.value(expression, as: Bool.self)) ?? false }
    }

    // MARK: - Inspection

    var errors: [String] { recorded.now.errors }
    var requests: [String] { recorded.now.requests }
    var events: Int { recorded.now.events }
    var loads: Int { recorded.now.loaded.count }

    func clear() { recorded.clear() }

    /// Returns the value of a JavaScript expression. Promises are awaited.
    func value<Value: Decodable>(
        _ expression: String, as type: Value.Type = Value.self
    ) async throws -> Value {
        let response = try await send(
            "Runtime.evaluate",
            ["expression": .text(expression), "returnByValue": true, "awaitPromise": true],
            as: Evaluation<Value>.self)
        if let details = response.exceptionDetails {
            throw DevTools.Failed(description: details.exception?.description ?? details.text)
        }
        guard let value = response.result?.value else {
            throw DevTools.Failed(description: "\(expression) has no such value")
        }
        return value
    }

    func size(_ width: Int, _ height: Int) async throws {
        try await send(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .number(Double(width)), "height": .number(Double(height)),
                "deviceScaleFactor": 1, "mobile": false,
            ])
        try await wait(
            "for a window of \(width) × \(height)",
            untilTrue: "innerWidth === \(width) && innerHeight === \(height)")
    }

    /// Sets the preferred colour scheme: "light" or "dark".
    func scheme(_ name: String) async throws {
        try await send(
            "Emulation.setEmulatedMedia",
            ["features": [["name": "prefers-color-scheme", "value": .text(name)]]])
        try await wait(
            "for \(name) colours",
            untilTrue: "matchMedia('(prefers-color-scheme: \(name))').matches")
    }

    func press(_ key: String, code: Int) async throws {
        for kind in ["rawKeyDown", "keyUp"] {
            try await send(
                "Input.dispatchKeyEvent",
                [
                    "type": .text(kind), "key": .text(key), "code": .text(key),
                    "windowsVirtualKeyCode": .number(Double(code)),
                ])
        }
    }

    func mouse(_ kind: String, _ x: Double, _ y: Double, buttons: Int = 0) async throws {
        try await send(
            "Input.dispatchMouseEvent",
            [
                "type": .text(kind), "x": .number(x), "y": .number(y),
                "button": kind == "mouseMoved" && buttons == 0 ? "none" : "left",
                "buttons": .number(Double(buttons)), "clickCount": 1,
            ])
    }

    private struct Evaluation<Value: Decodable>: Decodable {
        struct Result: Decodable { var value: Value? }
        struct Details: Decodable {
            struct Exception: Decodable { var description: String? }

            var text: String
            var exception: Exception?
        }

        var result: Result?
        var exceptionDetails: Details?

        enum CodingKeys: CodingKey { case result, exceptionDetails }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            exceptionDetails = try container.decodeIfPresent(
                Details.self, forKey: .exceptionDetails)
            // A thrown error also has a result, which isn't a value.
            if exceptionDetails == nil {
                result = try container.decode(Result.self, forKey: .result)
            }
        }
    }
}

extension BrowserTab.RecordedEvents {
    final class Box: Sendable {
        private let recorded = Mutex(BrowserTab.RecordedEvents())

        var now: BrowserTab.RecordedEvents { recorded.withLock { $0 } }

        func clear() {
            recorded.withLock {
                $0.errors = []
                $0.requests = []
            }
        }

        func record(_ event: DevTools.Event) {
            recorded.withLock { $0.record(event) }
        }
    }

    private mutating func record(_ event: DevTools.Event) {
        switch event.method {
        case "Page.lifecycleEvent":
            struct Stage: Decodable {
                var loaderId: String
                var name: String
            }
            if let stage = try? event.parameters(Stage.self), stage.name == "load" {
                loaded.append(stage.loaderId)
            }
        case "Network.eventSourceMessageReceived": events += 1
        case "Network.requestWillBeSent":
            struct Sent: Decodable {
                struct Request: Decodable { var url: String }
                var request: Request
            }
            requests.append((try? event.parameters(Sent.self))?.request.url ?? "?")
        case "Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled":
            errors.append(String(decoding: event.message.prefix(600), as: UTF8.self))
        case "Network.loadingFailed":
            struct Failure: Decodable {
                var errorText: String
                var canceled: Bool?
            }
            // Leaving a page cancels its event stream.
            let failure = try? event.parameters(Failure.self)
            if failure?.canceled != true {
                errors.append(failure?.errorText ?? "a request failed")
            }
        default: break
        }
    }
}

import Foundation
import HealthServer
import HealthStorage
import HealthTesting
import Synchronization
import Testing

/// Notices of changes, with a clock, a resolver and a receiver made for the tests.
@Suite struct HookSendingTests {
    /// A store's path, its hooks and what was sent.
    private final class World: Sendable {
        struct State {
            var sequence: Int64 = 5
            var now = Date(timeIntervalSinceReferenceDate: 800_000_000)
            var status: Int? = 204
            var addresses = ["93.184.215.14"]
            var sent: [HookSending.Delivery] = []
            var switchedOff: [String] = []
        }

        let folder: TemporaryFolder
        let state = Mutex(State())
        var store: String { folder.path + "/health.sqlite" }
        var directory: AccessDirectory {
            get throws { try AccessDirectory.open(besideStore: store) }
        }

        init() throws { folder = try TemporaryFolder() }

        func add(_ url: String = "https://example.com/hook", allowsPrivate: Bool = false) throws
            -> Hook
        {
            try directory.addHook(
                url, allowsPrivateAddresses: allowsPrivate, after: 5,
                at: state.withLock { $0.now.timeIntervalSinceReferenceDate })
        }

        struct NoConnection: Error {}

        var sending: HookSending {
            HookSending(
                besideStore: store,
                HookSending.Surroundings(
                    head: { [self] in
                        let sequence = state.withLock { $0.sequence }
                        return HookSending.Head(sequence: sequence, cursor: "c\(sequence)")
                    },
                    resolve: { [self] _ in state.withLock { $0.addresses } },
                    send: { [self] delivery in
                        try state.withLock { state in
                            state.sent.append(delivery)
                            guard let status = state.status else { throw NoConnection() }
                            return status
                        }
                    },
                    now: { [self] in state.withLock { $0.now } }, jitter: { 1 },
                    switchedOff: { [self] hook in
                        state.withLock { $0.switchedOff.append(hook.identifier) }
                    }))
        }

        func sent() -> [HookSending.Delivery] { state.withLock { $0.sent } }
        func pass(_ seconds: Double) { state.withLock { $0.now += seconds } }
    }

    @Test("a change is notified once, without values, signed with the hook's secret")
    func notice() async throws {
        let world = try World()
        let hook = try world.add()
        #expect(await world.sending.sendDue() == nil)
        #expect(world.sent().isEmpty)
        world.state.withLock { $0.sequence = 9 }
        #expect(await world.sending.sendDue() == nil)
        #expect(await world.sending.sendDue() == nil)
        let sent = try #require(world.sent().first)
        #expect(world.sent().count == 1)
        #expect(sent.address.url == "https://example.com/hook" && sent.pinned == "93.184.215.14")
        #expect(
            sent.notice.body
                == "{\"event\":\"change\",\"cursor\":\"c9\",\"sent\":\"2026-05-09T06:13:20Z\"}")
        let python = """
            import hashlib, hmac, sys
            time, signature = (part.split("=")[1] for part in sys.argv[1].split(","))
            message = (time + "." + sys.argv[2]).encode()
            digest = hmac.new(sys.argv[3].encode(), message, hashlib.sha256).hexdigest()
            print(time, hmac.compare_digest(digest, signature))
            """
        let output = try Python.run(
            python, [sent.notice.signature, sent.notice.body, hook.secret])
        #expect(output == "1778307200 True")
        #expect(hook.secret.utf8.count == 64)
        let stored = try #require(try world.directory.hooks().first)
        #expect(stored.sequence == 9 && stored.failure == nil && stored.acceptedAt == 800_000_000)
    }

    @Test("codes are those of Python, also for long keys and empty messages")
    func codes() throws {
        for (key, message) in [
            ("key", ""), ("", "message"), (String(repeating: "k", count: 64), "m"),
            (String(repeating: "ké", count: 60), String(repeating: "m", count: 1_000)),
        ] {
            let expected = try Python.run(
                "import hashlib, hmac, sys; print(hmac.new(sys.argv[1].encode(), "
                    + "sys.argv[2].encode(), hashlib.sha256).hexdigest())", [key, message])
            #expect(MessageAuthentication.hexadecimal(message, key: key) == expected)
        }
    }

    @Test("a failed notice is repeated after growing pauses, with the latest state")
    func retries() async throws {
        let world = try World()
        _ = try world.add()
        world.state.withLock { ($0.sequence, $0.status) = (6, 500) }
        var pauses: [Double] = []
        for _ in 0..<9 {
            let pause = try #require(await world.sending.sendDue())
            pauses.append(pause)
            // Not before its time.
            world.pass(pause - 1)
            #expect(await world.sending.sendDue() == 1)
            world.pass(1)
        }
        #expect(pauses == [30, 60, 120, 240, 480, 960, 1920, 3600, 3600])
        #expect(world.sent().count == 9)
        world.state.withLock { ($0.sequence, $0.status) = (7, 200) }
        #expect(await world.sending.sendDue() == nil)
        #expect(world.sent().last?.notice.body.contains("\"c7\"") == true)
        let hook = try #require(try world.directory.hooks().first)
        #expect(hook.failure == nil && hook.sequence == 7)
    }

    @Test("a hook is switched off and reported after three days of failures")
    func switchedOff() async throws {
        let world = try World()
        let hook = try world.add()
        world.state.withLock { ($0.sequence, $0.status) = (6, nil) }
        _ = await world.sending.sendDue()
        // A computer that slept for days has tried only a few times.
        world.pass(HookSending.patience + 1)
        for _ in 0..<8 {
            #expect(await world.sending.sendDue() != nil)
            #expect(try world.directory.hooks()[0].switchedOffAt == nil)
            world.pass(3_600)
        }
        #expect(await world.sending.sendDue() == nil)
        #expect(world.state.withLock { $0.switchedOff } == [hook.identifier])
        let stored = try world.directory.hooks()[0]
        #expect(stored.switchedOffAt != nil && stored.failure?.count == 10)
        #expect(stored.failure?.reason == "no connection")
        world.pass(86_400)
        world.state.withLock { $0.status = 200 }
        #expect(await world.sending.sendDue() == nil)
        #expect(world.sent().count == 10)
    }

    @Test(
        "a host with any private address gets nothing, unless that is permitted",
        arguments: [["10.1.2.3"], ["93.184.215.14", "::1"], ["fd00::1"], []])
    func privateAddresses(addresses: [String]) async throws {
        let world = try World()
        _ = try world.add()
        _ = try world.add("https://other.example/", allowsPrivate: true)
        world.state.withLock { ($0.sequence, $0.addresses) = (6, addresses) }
        #expect(await world.sending.sendDue() == 30)
        let hooks = try world.directory.hooks()
        #expect(hooks[0].failure?.count == 1)
        #expect(world.sent().map(\.address.host) == (addresses.isEmpty ? [] : ["other.example"]))
        #expect(world.sent().first?.pinned == addresses.first)
    }

    @Test("a redirect is a failure, since it isn't followed", arguments: [301, 302, 307, 308, 404])
    func redirect(status: Int) async throws {
        let world = try World()
        _ = try world.add()
        world.state.withLock { ($0.sequence, $0.status) = (6, status) }
        #expect(await world.sending.sendDue() == 30)
        #expect(world.sent().count == 1)
        #expect(
            try world.directory.hooks()[0].failure?.reason == "the answer was HTTP status \(status)"
        )
    }

    @Test("an address counts as public only if Python’s module ipaddress agrees")
    func addresses() throws {
        let texts = [
            "8.8.8.8", "93.184.215.14", "0.0.0.0", "10.0.0.1", "100.64.0.1", "100.127.255.255",
            "100.128.0.1", "127.0.0.1", "127.255.1.2", "169.254.169.254", "172.15.0.1",
            "172.16.0.1", "172.31.255.255", "172.32.0.1", "192.0.2.1", "192.168.0.1", "198.18.0.1",
            "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "255.255.255.255", "::",
            "::1", "fe80::1", "fc00::1", "fd12:3456::1", "ff02::1", "::ffff:8.8.8.8",
            "::ffff:10.0.0.1", "::ffff:127.0.0.1", "2001:db8::1", "2606:4700:4700::1111",
            "2a00:1450:4001::1", "64:ff9b::808:808", "2002:7f00:1::", "2002:808:808::",
            "2001::1", "3fff::1", "", "example.com",
        ]
        let program = """
            import ipaddress, sys
            refused = [ipaddress.ip_network(n) for n in
                       ("2002::/16", "2001::/23", "3fff::/20", "64:ff9b::/96", "::ffff:0:0/96")]
            for text in sys.argv[1:]:
                try:
                    address = ipaddress.ip_address(text)
                    print(address.is_global and not address.is_multicast
                          and not any(address in n for n in refused if n.version == address.version))
                except ValueError:
                    print(False)
            """
        let expected = try Python.run(program, texts).split(separator: "\n").map { $0 == "True" }
        try #require(expected.count == texts.count)
        for (text, isPublic) in zip(texts, expected) {
            #expect(PublicAddress.contains(text) == isPublic, "\(text)")
        }
        #expect(expected.contains(true) && expected.contains(false))
    }

    @Test("only an HTTPS address without user, password and fragment is a hook")
    func hookAddresses() throws {
        // Apart from the hosts, which are names of no known site.
        let secure = "https:" + "//"
        let address = try HookAddress(secure + "Example.com:8443/a?b=c")
        #expect(address.host == "Example.com" && address.port == 8443)
        #expect(try HookAddress(secure + "[2606:4700::1]/").host == "2606:4700::1")
        #expect(throws: HookAddress.Fault.notHTTPS) { try HookAddress("http://example.com/") }
        #expect(throws: HookAddress.Fault.notHTTPS) {
            try HookAddress("file:" + "//host/etc/passwd")
        }
        for text in [
            secure + "u@example.com/", secure + "u:p@example.com/", secure + "example.com/#a",
        ] {
            #expect(throws: HookAddress.Fault.extraParts) { try HookAddress(text) }
        }
        for text in [
            "", "example.com", secure, secure + "/x", secure + "exam ple.com/",
            "https://example.com/\r\nX: y", "https://example.com:0/", secure + "éxample.com/",
            "https://example.com/" + String(repeating: "x", count: 2_000),
        ] {
            #expect(throws: HookAddress.Fault.malformed, "\(text.prefix(40))") {
                try HookAddress(text)
            }
        }
    }

    @Test("a removed hook gets nothing, and there are at most twenty")
    func removal() async throws {
        let world = try World()
        let hook = try world.add()
        try world.directory.removeHook(hook.identifier)
        #expect(throws: HookError.unknown(hook.identifier)) {
            try world.directory.removeHook(hook.identifier)
        }
        world.state.withLock { $0.sequence = 6 }
        #expect(await world.sending.sendDue() == nil)
        #expect(world.sent().isEmpty)
        for _ in 0..<AccessDirectory.maximumHooks { _ = try world.add() }
        #expect(throws: HookError.tooMany) { try world.add() }
    }

    @Test("changes wake the sender, which waits a moment so that an import causes one notice")
    func running() async throws {
        let world = try World()
        _ = try world.add()
        let (changes, change) = AsyncStream<Void>.makeStream()
        let sending = world.sending
        let task = Task { await sending.run(after: changes) }
        for sequence in 6...8 {
            world.state.withLock { $0.sequence = Int64(sequence) }
            change.yield()
        }
        for _ in 0..<3000 where world.sent().isEmpty {
            try await Task.sleep(for: .milliseconds(10))
        }
        change.finish()
        await task.value
        #expect(world.sent().map(\.notice.body).allSatisfy { $0.contains("\"c8\"") })
        #expect(world.sent().count == 1)
    }
}

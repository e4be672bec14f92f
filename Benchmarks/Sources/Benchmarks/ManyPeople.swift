import Foundation

extension Suite {
    /// Many people on two nodes over PostgreSQL, all on this machine with the load.
    static let manyPeople = Suite(name: "people") { context, card in
        guard PrivatePostgreSQL.isInstalled else {
            return card.skip("many people: PostgreSQL isn't installed. Run: make setup-all")
        }
        let bench = try ManyPeople(context)
        try bench.firstPushes(&card)
        try bench.steadyLoad(&card)
        try bench.singleSamples(&card)
        try bench.warmDays(&card)
        try bench.coldStart(&card)
    }

    /// Time and disk for 100, 300 and 1,000 people with 30 days of 1,000 samples a day. It takes
    /// half an hour, so it runs only if it is asked for.
    static let peopleSizing = Suite(name: "people-sizing") { context, card in
        let bench = try ManyPeople(context, people: 0)
        try bench.sizing(&card)
    }
}

/// The measurements of many people.
private final class ManyPeople {
    private let context: BenchmarkContext
    private let database: PrivatePostgreSQL
    private let server: PeopleServer
    private var people: [PeopleServer.Person]
    /// The number of samples that each person was sent.
    private var sent: [Int]
    private let isFull: Bool

    private static let bodySamples = 1_000

    init(_ context: BenchmarkContext, people count: Int? = nil) throws {
        self.context = context
        isFull = context.scale == .full
        Progress.show("starting PostgreSQL")
        database = try PrivatePostgreSQL()
        server = try PeopleServer(
            context.openhealth, address: database.address, folder: context.file("people"), nodes: 2)
        let number = count ?? (isFull ? 1_000 : 100)
        Progress.show("adding \(number) people")
        people = try server.addPeople(0..<number)
        sent = Array(repeating: 0, count: number)
    }

    /// Bodies of 1,000 samples, one after another in time. The people share them.
    private static func bodies(_ count: Int) -> [[UInt8]] {
        Progress.show("making bodies")
        return (0..<count).map {
            ReceivedBody.openWearables(from: $0 * bodySamples, bodySamples)
        }
    }

    private func requireAllSamples() throws {
        Progress.show("counting samples")
        let clients = try server.ports.map { try PageClient(port: $0, cookie: "") }
        for (person, sent) in zip(people, sent) {
            let stored = try PeopleServer.samples(of: person, clients)
            try expect(stored == sent, "\(stored) of \(sent) samples are stored")
        }
    }

    /// A push of one sample by each phone, for which the nodes build the people's stores.
    func firstPushes(_ card: inout Scorecard) throws {
        let body = ReceivedBody.openWearables(from: 40_000_000, 1)
        Progress.show("first pushes")
        let result = try RequestLoad.run(count: people.count, connections: 8, to: server.ports) {
            [people] number, clients in
            try PeopleServer.push(body, of: people[number], clients)
        }
        for index in sent.indices { sent[index] += 1 }
        card.addFinding(
            "first pushes of people a second", Spread([Double(people.count) / result.duration]), "")
    }

    /// 25 bodies of 1,000 samples a second, from all phones in turn.
    func steadyLoad(_ card: inout Scorecard) throws {
        let count = 25 * (isFull ? 300 : 20)
        let bodies = Self.bodies(count / people.count + 1)
        let before = try database.payloadBytes(in: "entry")
        Progress.show("25,000 samples a second, for \(count / 25) s")
        let result = try RequestLoad.run(rate: 25, count: count, connections: 32, to: server.ports)
        {
            [people] number, clients in
            let person = people[number % people.count]
            try PeopleServer.push(bodies[number / people.count], of: person, clients)
        }
        for number in 0..<count { sent[number % people.count] += Self.bodySamples }
        let samples = Double(count * Self.bodySamples)
        card.addFinding(
            "samples of many people a second", Spread([samples / result.duration / 1000]), "k")
        card.addFinding(
            "push of 1,000 samples, p50", Spread([result.milliseconds(0.5)]), "ms")
        card.addFinding(
            "push of 1,000 samples, p99", Spread([result.milliseconds(0.99)]), "ms")
        let entries = try database.payloadBytes(in: "entry") - before
        card.addFinding(
            "log of a phone's sample", Spread([entries / samples]), "bytes")
        try requireAllSamples()
        card.passed("every sample of many people is stored once.")
        if let peak = server.nodes[0].peakMemory {
            card.addFinding("peak memory of a node", Spread([peak / 1e6]), "MB")
        }
    }

    /// Pushes of one sample, as fast as they are answered.
    func singleSamples(_ card: inout Scorecard) throws {
        let count = isFull ? 9_000 : 1_000
        let first = 50_000_000
        let bodies = (0..<(count / people.count + 1)).map {
            ReceivedBody.openWearables(from: first + $0, 1)
        }
        Progress.show("pushes of one sample")
        let result = try RequestLoad.run(count: count, connections: 32, to: server.ports) {
            [people] number, clients in
            let person = people[number % people.count]
            try PeopleServer.push(bodies[number / people.count], of: person, clients)
        }
        for number in 0..<count { sent[number % people.count] += 1 }
        card.addFinding(
            "pushes of one sample a second", Spread([Double(count) / result.duration]), "")
        try requireAllSamples()
    }

    /// A day of steps, of a person at random, at 200 requests a second.
    func warmDays(_ card: inout Scorecard) throws {
        let address = "/v1/stats/stepCount?by=day&from=2022-01-01&to=2022-01-01"
        let clients = try server.ports.map { try PageClient(port: $0, cookie: "") }
        var answers: [Data] = []
        Progress.show("days of all people")
        for person in people {
            answers.append(try PeopleServer.read(address, of: person, clients))
        }
        let seed = UInt64(4711)
        Progress.show("200 days a second")
        let result = try RequestLoad.run(
            rate: 200, count: isFull ? 6_000 : 1_000, connections: 16, to: server.ports
        ) { [people, answers] number, clients in
            var random = seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15
            random ^= random >> 29
            let index = Int(random % UInt64(people.count))
            let answer = try PeopleServer.read(address, of: people[index], clients)
            try expect(answer == answers[index], "a day is another than before")
        }
        card.addFinding(
            "a day of one of many people, p50", Spread([result.milliseconds(0.5)]), "ms")
        card.addFinding(
            "a day of one of many people, p99", Spread([result.milliseconds(0.99)]), "ms")
        card.passed("a day of each person is the same under load.")
    }

    /// The first answer of a node that has nothing of a person with a long history.
    func coldStart(_ card: inout Scorecard) throws {
        struct Made: Decodable { var person: String, token: String }
        Progress.show("importing \(BenchmarkContext.words(context.scale.records)) records")
        let run = try server.people("create", "Long", "--json").succeed()
        let made = try decoded(Made.self, from: run.output)
        let before = try database.payloadBytes(in: "snapshot_chunk")
        _ = try server.people("import", made.person, context.export, "--json").succeed()
        let copy = try database.payloadBytes(in: "snapshot_chunk") - before
        card.addFinding(
            "log of an imported record", Spread([copy / Double(context.scale.records)]), "bytes")
        let address = "/v1/stats/stepCount?by=year"
        let expected = try context.openhealth(
            "stats", "stepCount", "--by", "year", "--json", store: context.store
        ).succeed()
        var seconds: [Double] = []
        for _ in 0..<context.scale.longRounds {
            let node = try server.startNode()
            let client = try PageClient(port: node.port, cookie: "")
            let start = ContinuousClock.now
            let answer = try client.get(address, token: made.token)
            seconds.append((ContinuousClock.now - start) / .seconds(1))
            try expect(answer.head.hasPrefix("http/1.1 200"), "a cold node refuses a person")
            let (there, here) = (
                try decoded(StatisticsResult.self, from: answer.body).days,
                try decoded(StatisticsResult.self, from: expected.output).days
            )
            try expect(!here.isEmpty && there == here, "a cold node has other steps")
        }
        card.addFinding(
            "cold start of \(BenchmarkContext.words(context.scale.records)) samples",
            Spread(seconds), "s")
        card.passed("a cold node's years of steps are those of a store with the same export.")
    }

    /// Loads 30 days of 1,000 samples, for 100, 300 and 1,000 people.
    func sizing(_ card: inout Scorecard) throws {
        let days = isFull ? 30 : 3
        let bodies = Self.bodies(days)
        let empty = try database.bytes()
        var seconds = 0.0
        for total in isFull ? [100, 300, 1_000] : [10, 30] {
            Progress.show("adding people up to \(total)")
            let added = try server.addPeople(people.count..<total)
            people += added
            sent += Array(repeating: days * Self.bodySamples, count: added.count)
            Progress.show("\(days) days of \(added.count) people")
            let result = try RequestLoad.run(
                count: days * added.count, connections: 16, to: server.ports
            ) { number, clients in
                try PeopleServer.push(
                    bodies[number / added.count], of: added[number % added.count], clients)
            }
            seconds += result.duration
            let samples = Double(total * days * Self.bodySamples)
            let bytes = try database.bytes() - empty
            card.addFinding("\(total) people, loading", Spread([seconds]), "s")
            card.addFinding(
                "\(total) people, samples a second",
                Spread([Double(result.seconds.count * Self.bodySamples) / result.duration / 1000]),
                "k")
            card.addFinding("\(total) people, database", Spread([bytes / 1e6]), "MB")
            card.addFinding(
                "\(total) people, a sample", Spread([bytes / samples]), "bytes")
        }
        try requireAllSamples()
        card.passed("every sample of many people is stored once.")
    }
}

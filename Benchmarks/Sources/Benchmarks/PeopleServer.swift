import Foundation

/// Nodes of `openhealth serve --people` over one database, with people and their phones.
final class PeopleServer {
    /// A person with a token for reading, and the token of a phone.
    struct Person: Sendable {
        var person: String
        var token: String
        var phone: String
        /// The node that the person's requests go to, as a proxy would choose it.
        var node: Int
    }

    let openhealth: String
    let address: String
    private let folder: String
    private(set) var nodes: [ServerProcess] = []
    var ports: [UInt16] { nodes.map(\.port) }
    private let operatorToken: String

    /// Starts nodes.
    ///
    /// - Parameters:
    ///   - address: The database.
    ///   - folder: Where the nodes' caches and the operator's key go.
    init(_ openhealth: String, address: String, folder: String, nodes count: Int) throws {
        self.openhealth = openhealth
        self.address = address
        self.folder = folder
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let key = (0..<64).map { _ in String(Int.random(in: 0..<16), radix: 16) }.joined()
        try key.write(toFile: folder + "/operator.key", atomically: true, encoding: .utf8)
        struct Operator: Decodable { var token: String }
        let run = try Self.command(openhealth, address, folder, ["people", "operator", "--json"])
            .succeed()
        operatorToken = try decoded(Operator.self, from: run.output).token
        for _ in 0..<count { try startNode() }
    }

    private static func command(
        _ openhealth: String, _ address: String, _ folder: String, _ words: [String]
    ) -> Program {
        var program = Program(openhealth)
        program.arguments =
            words + ["--people", address, "--operator-key", folder + "/operator.key"]
        return program
    }

    /// Returns a run of `openhealth people`.
    func people(_ words: String...) -> Program {
        Self.command(openhealth, address, folder, ["people"] + words)
    }

    /// Starts one more node, with an empty cache, and returns it.
    @discardableResult
    func startNode() throws -> ServerProcess {
        let cache = "\(folder)/cache-\(nodes.count)"
        let node = try ServerProcess(
            Self.command(
                openhealth, address, folder,
                ["serve", "--port", "0", "--cache", cache]))
        nodes.append(node)
        return node
    }

    /// Adds people with a phone each, through the operator's API.
    func addPeople(_ numbers: Range<Int>) throws -> [Person] {
        struct Made: Decodable { var person: String, token: String }
        struct Device: Decodable { var token: String }
        let client = try PageClient(port: ports[0], cookie: "")
        func call<Answer: Decodable>(
            _ path: String, _ name: String, _ type: Answer.Type
        ) throws -> Answer {
            let body = Array(#"{"name":"\#(name)"}"#.utf8)
            let answer = try client.post(body, to: "/v1/people" + path, token: operatorToken)
            guard answer.head.hasPrefix("http/1.1 200") else {
                throw Failure(
                    "A node refused an operator's call: \(answer.head.prefix(12)) "
                        + String(decoding: answer.body.prefix(200), as: UTF8.self))
            }
            return try decoded(type, from: answer.body)
        }
        return try numbers.map { number in
            let made = try call("", "Person \(number)", Made.self)
            let phone = try call("/\(made.person)/devices", "Phone", Device.self)
            return Person(
                person: made.person, token: made.token, phone: phone.token,
                node: number % ports.count)
        }
    }

    private static let intake = "/api/v1/sdk/users/me/sync"

    /// Posts a body as a person's phone.
    static func push(
        _ body: [UInt8], of person: Person, _ clients: [PageClient]
    ) throws(Failure) {
        let answer = try clients[person.node].post(body, to: intake, token: person.phone)
        guard answer.head.hasPrefix("http/1.1 202") else {
            throw Failure("A node refused a body: \(answer.head.prefix(12))")
        }
    }

    /// Returns what a person's token reads at an address.
    static func read(
        _ address: String, of person: Person, _ clients: [PageClient]
    ) throws(Failure) -> Data {
        let answer = try clients[person.node].get(address, token: person.token)
        guard answer.head.hasPrefix("http/1.1 200") else {
            throw Failure("A node refused \(address): \(answer.head.prefix(12))")
        }
        return answer.body
    }

    /// Returns the number of samples of a person.
    static func samples(of person: Person, _ clients: [PageClient]) throws -> Int {
        struct Contents: Decodable {
            struct TypeCount: Decodable { var samples: Int }
            var types: [TypeCount]
        }
        let body = try read("/v1/types", of: person, clients)
        return try decoded(Contents.self, from: body).types.reduce(0) { $0 + $1.samples }
    }
}

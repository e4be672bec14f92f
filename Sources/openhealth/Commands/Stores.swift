import ArgumentParser
import Foundation
import HealthCalendar
import HealthDashboard
import HealthStorage

/// `openhealth stores`
struct Stores: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stores",
        abstract: "Lists the stores of all people beside each other, with their size and days.",
        discussion: "The store without a name is the default one; others were made with --as NAME.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
        let stores = try FoundStore.all(beside: try global.path)
        if global.json {
            try Output.print(JSONText.object(["stores": .array(try stores.map(json))]))
        } else {
            try Output.print(try text(stores))
        }
    }

    private func text(_ stores: [FoundStore]) throws -> String {
        guard !stores.isEmpty else {
            return "No store in \(StoresFolder.of(try global.path).printable). Import an export: "
                + "openhealth import export.zip\n"
        }
        var table = Table([
            .text("name"), .number("samples"), .number("types"), .text("first day"),
            .text("last day"), .number("MB"), .text("file", maximumWidth: 40),
        ])
        for store in stores {
            var cells = [store.person ?? "(default)"]
            switch store.content {
            case .success(let content):
                let calendar = try global.calendar(of: content.store)
                cells += [
                    NumberText.grouped(Double(content.samples)),
                    NumberText.grouped(Double(content.types)),
                    content.first.map { calendar.day($0) } ?? "–",
                    content.last.map { calendar.day($0) } ?? "–",
                ]
            case .failure: cells += ["unreadable", "", "", ""]
            }
            let megabytes = NumberText.grouped(Double(store.byteCount) / 1_000_000, digits: 1)
            table.rows.append(cells + [megabytes, store.name])
        }
        return "\(counted(stores.count, "store", "stores")) in "
            + "\(StoresFolder.of(try global.path).printable)\n\n" + table.text
    }

    private func json(_ store: FoundStore) throws -> JSONText {
        var members: [(key: String, value: JSONText)] = [
            ("name", .text(store.person)), ("path", .string(store.path)),
            ("bytes", .integer(store.byteCount)),
        ]
        switch store.content {
        case .success(let content):
            let calendar = try global.calendar(of: content.store)
            members += [
                ("samples", .integer(content.samples)), ("types", .integer(content.types)),
                ("first", .text(content.first.map { calendar.text($0) })),
                ("last", .text(content.last.map { calendar.text($0) })),
            ]
        case .failure(let error): members.append(("error", .string(error.sentence)))
        }
        return .object(members)
    }
}

/// The folder of a store.
private enum StoresFolder {
    /// Returns the folder of a path; "." without one.
    static func of(_ path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }
}

/// A store in a folder.
private struct FoundStore {
    struct Content {
        let store: SampleStore
        let samples: Int
        let types: Int
        let first: Double?
        let last: Double?
    }

    let path: String
    /// The name of `--as`; nil for the default store.
    let person: String?
    let byteCount: Int
    let content: Result<Content, StoreError>

    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Returns the default store and those of people (`health-NAME.sqlite`), sorted by name.
    static func all(beside path: String) throws -> [FoundStore] {
        let folder = StoresFolder.of(path)
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let (stem, ending) = parts(of: file)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().compactMap { name in
            let own = parts(of: name)
            guard own.ending == ending, FileUse.isStore(folder + "/" + name) else { return nil }
            if own.stem == stem { return FoundStore(folder + "/" + name, person: nil) }
            guard own.stem.hasPrefix(stem + "-") else { return nil }
            return FoundStore(
                folder + "/" + name, person: String(own.stem.dropFirst(stem.count + 1)))
        }
    }

    private static func parts(of name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return (name, "") }
        return (String(name[..<dot]), String(name[dot...]))
    }

    private init(_ path: String, person: String?) {
        (self.path, self.person) = (path, person)
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        byteCount = attributes?[.size] as? Int ?? 0
        content = Result { () throws(StoreError) in try Self.content(of: path) }
    }

    private static func content(of path: String) throws(StoreError) -> Content {
        do {
            let store = try SampleStore(at: path, access: .reading)
            let types = try store.types()
            return Content(
                store: store, samples: types.reduce(0) { $0 + $1.samples }, types: types.count,
                first: types.map(\.first).min(), last: types.map(\.last).max())
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.damagedFile(at: path, detail: "it can't be read"))
        }
    }
}

import Foundation

/// Writes the public declarations of every library product to `API/PRODUCT.txt`, or compares them
/// with these files. So each change of the public API is visible in review as a changed file.
///
/// The declarations come from the symbol graphs that the toolchain extracts from built modules.
///
/// ```sh
/// swift run PublicAPI .build/debug          # writes API/
/// swift run PublicAPI .build/debug --check  # fails on any difference, writes it to .build/debug
/// ```
@main struct PublicAPI {
    /// The modules whose declarations are in the file of each library product. OpenHealthKit
    /// re-exports FoundationGaps, so its file contains both.
    static let products: KeyValuePairs = [
        "HealthArchive": ["HealthArchive"],
        "HealthCalendar": ["HealthCalendar"],
        "HealthDashboard": ["HealthDashboard"],
        "HealthEngine": ["HealthEngine"],
        "HealthSimulator": ["HealthSimulator"],
        "HealthStorage": ["HealthStorage"],
        "HealthSync": ["HealthSync"],
        "OpenHealthKit": ["OpenHealthKit", "FoundationGaps"],
    ]

    static func main() throws {
        let words = Array(CommandLine.arguments.dropFirst())
        guard let build = words.first, words.count == 1 || words.dropFirst() == ["--check"] else {
            throw Failure("usage: PublicAPI BUILD-FOLDER [--check]")
        }
        let isCheck = words.count > 1
        let folder = URL(filePath: "API")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var changed: [String] = []
        for (product, modules) in products {
            let lines = try modules.flatMap { try Symbols(of: $0, builtIn: build).lines }
            let text = lines.joined(separator: "\n") + "\n"
            let file = folder.appending(path: product + ".txt")
            print("\(product): \(lines.count) public declarations")
            if try isCheck && String(contentsOf: file, encoding: .utf8) != text {
                changed.append(product)
                try text.write(
                    to: URL(filePath: build).appending(path: product + ".txt"), atomically: true,
                    encoding: .utf8)
            } else if !isCheck {
                try text.write(to: file, atomically: true, encoding: .utf8)
            }
        }
        guard changed.isEmpty else {
            throw Failure(
                "The public declarations of \(changed.joined(separator: ", ")) differ from API/. "
                    + "Run `make api`, and add a line to CHANGELOG.md.")
        }
    }
}

/// An error with its text. Since `main()` throws it, the runtime prints the text and traps.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

import Foundation
import PackagePlugin

/// `swift package review [ARGUMENTS]`: reviews the package's own targets, or the given paths.
@main
struct ReviewCommand: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let tool = try context.tool(named: "openhealth-review")
        let process = Process()
        process.executableURL = tool.url
        process.currentDirectoryURL = context.package.directoryURL
        process.arguments =
            arguments + (Self.namePaths(arguments) ? [] : sources(of: context.package))
        try process.run()
        process.waitUntilExit()
        // The tool has printed its own messages. SwiftPM maps every status except 0 to 1.
        if process.terminationStatus != 0 { exit(process.terminationStatus) }
    }

    /// The folders of the package's targets, relative to the package's folder.
    private func sources(of package: Package) -> [String] {
        let root = package.directoryURL.path(percentEncoded: false)
        return package.targets.compactMap { $0 as? any SourceModuleTarget }.map { target in
            let folder = target.directoryURL.path(percentEncoded: false)
            guard folder.hasPrefix(root) else { return folder }
            let path = folder.dropFirst(root.count).drop { $0 == "/" }
            return path.isEmpty ? "." : String(path)
        }
    }

    private static let withValue = [
        "--fail-on", "--config", "--baseline", "--write-baseline", "--explain",
        "--changed-since",
    ]

    private static func namePaths(_ arguments: [String]) -> Bool {
        var isValue = false
        for argument in arguments {
            if isValue {
                isValue = false
            } else if withValue.contains(argument) {
                isValue = true
            } else if !argument.hasPrefix("-") {
                return true
            }
        }
        return false
    }
}

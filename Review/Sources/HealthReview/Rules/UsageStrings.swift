import SwiftSyntax

/// Reports missing usage texts and entitlements, if the project's files are visible.
struct UsageStrings: Rule {
    let name = "usage-strings"
    let summary = "a usage text or entitlement missing that the code needs"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        // A library has neither: the app that uses it declares them.
        guard !target.projectFiles.isEmpty, target.kind == .app else { return }
        // A project defined in Swift may also generate the property lists.
        guard !target.files.contains(where: { $0.uses.imports.contains("ProjectDescription") })
        else { return }
        var reported: Set<String> = []
        for (call, file) in target.authorization.calls {
            let shown = DeclaredKeys(target.projectFiles, around: file.path)
            var needed: [String] = []
            if target.requestedTypes(call.readArgument) == .something {
                needed.append("NSHealthShareUsageDescription")
            }
            if target.requestedTypes(call.shareArgument) == .something {
                needed.append("NSHealthUpdateUsageDescription")
            }
            if call.asksForRecords {
                needed.append("NSHealthClinicalHealthRecordsShareUsageDescription")
            }
            reviewManifest(call, file, target, &reported, &report)
            var missing = needed.filter { shown.lacksInInfo($0) }
            if shown.lacksEntitlement("com.apple.developer.healthkit") {
                missing.append("com.apple.developer.healthkit")
            }
            let new = missing.filter { reported.insert("\(shown.place) \($0)").inserted }
            add(new, "the request", call, file, &report)
        }
        let delivery = "com.apple.developer.healthkit.background-delivery"
        for file in target.files where file.uses.names.contains("enableBackgroundDelivery") {
            guard let call = file.uses.calls.first(where: \.isBackgroundDelivery),
                DeclaredKeys(target.projectFiles, around: file.path).lacksEntitlement(delivery)
            else { continue }
            return add([delivery], "background delivery", call, file, &report)
        }
        for file in target.files where !target.deliveringModules.isEmpty {
            for module in file.uses.imports.sorted() {
                guard let starters = target.deliveringModules[module],
                    let call = file.uses.calls.first(where: {
                        starters.contains($0.calledName ?? "")
                    }),
                    DeclaredKeys(target.projectFiles, around: file.path).lacksEntitlement(delivery)
                else { continue }
                let what = "background delivery, which \(module) enables,"
                return add([delivery], what, call, file, &report)
            }
        }
    }

    /// Reports a Cordova plugin that adds one of the two usage texts to its apps, where it asks for
    /// the other access too.
    private func reviewManifest(
        _ call: FunctionCallExprSyntax, _ file: SourceFile, _ target: Target,
        _ reported: inout Set<String>, _ report: inout Report
    ) {
        let pairs = [
            ("NSHealthShareUsageDescription", call.readArgument),
            ("NSHealthUpdateUsageDescription", call.shareArgument),
        ]
        for manifest in target.projectFiles where manifest.kind == .pluginManifest {
            let text = manifest.text.withoutXMLComments
            guard text.contains("NSHealth") else { continue }
            let missing = pairs.filter { key, argument in
                !text.contains(key) && target.mayRequest(argument)
                    && reported.insert("\(manifest.path) \(key)").inserted
            }
            guard missing.count == 1, let key = missing.first?.0 else { continue }
            report.add(
                "the plugin adds no \(key) to the apps that use it: the request ends them",
                at: call, in: file)
        }
    }

    private func add(
        _ missing: [String], _ what: String, _ call: FunctionCallExprSyntax, _ file: SourceFile,
        _ report: inout Report
    ) {
        guard !missing.isEmpty else { return }
        report.add(
            "the project declares no \(missing.joined(separator: " and no ")): \(what) fails, or ends "
                + "the app", at: call, in: file)
    }
}

extension FunctionCallExprSyntax {
    /// Whether the request is for clinical records, by what it names.
    fileprivate var asksForRecords: Bool {
        guard let read = readArgument else { return false }
        let isNamed = read.tokens(viewMode: .sourceAccurate).contains { token in
            let words = token.text.camelCaseWords
            return words.contains("clinical")
        }
        return isNamed
            && Syntax(self).root.tokens(viewMode: .sourceAccurate).contains {
                ["HKClinicalType", "clinicalType"].contains($0.text)
            }
    }
}

extension Target {
    /// Returns whether a set of types isn't written as an empty one.
    fileprivate func mayRequest(_ argument: ExprSyntax?) -> Bool {
        switch requestedTypes(argument) {
        case .something: true
        case .nothing: false
        case .unknown: true
        }
    }

    /// The names of the functions that enable background delivery, and of those that call them.
    var deliveryStarters: Set<String> {
        let deliveries = (index.calls["enableBackgroundDelivery"] ?? []).filter {
            $0.isBackgroundDelivery
        }
        var found: Set<String> = []
        var pending = deliveries.compactMap(\.starter)
        while let name = pending.popLast(), found.count < 32 {
            guard found.insert(name).inserted else { continue }
            pending += (index.calls[name] ?? []).compactMap(\.starter)
        }
        return found
    }
}

extension FunctionCallExprSyntax {
    /// The name that runs this call: of the function around it, or of the type it initializes.
    fileprivate var starter: String? {
        let function = enclosingFunction
        if let function = function.as(FunctionDeclSyntax.self) { return function.name.text }
        return function.is(InitializerDeclSyntax.self) ? enclosingTypeName : nil
    }
}

/// The keys in a project's files, found by a text scan.
private struct DeclaredKeys {
    /// The texts of Info.plists, and of projects that generate one.
    private var info: [String] = []
    private var entitlements: [String] = []
    /// The texts of build settings, which may contain any key.
    private var settings: [String] = []
    /// Whether a file may contain keys that can't be read here.
    private var hidesInfo = false
    private var hidesEntitlements = false

    /// The folder of the property list that applies.
    private(set) var place = ""

    /// Gathers the keys that apply to a source file: those of the property lists and entitlements
    /// nearest to it, and those of all projects and build settings.
    init(_ all: [ProjectFile], around path: String) {
        let lists = all.filter { $0.kind == .propertyList && Self.isInfo($0) }
        let plists = lists.nearest(to: path)
        place = plists.first?.path.folderPath ?? ""
        let files =
            all.filter { ![.propertyList, .entitlements, .pluginManifest].contains($0.kind) }
            + all.filter { $0.kind == .entitlements }.nearest(to: path)
        for file in plists {
            info.append(file.text.withoutXMLComments)
            if !file.text.contains("<plist") { hidesInfo = true }
        }
        settings = files.filter { $0.kind == .buildSettings }.map(\.text)
        for file in files where file.kind == .entitlements {
            entitlements.append(file.text.withoutXMLComments)
            if !file.text.contains("<plist") { hidesEntitlements = true }
        }
        for file in files where file.kind == .xcodeProject {
            let settings = file.text.settingNames
            if plists.isEmpty,
                settings.contains("INFOPLIST_FILE")
                    || settings.contains("baseConfigurationReference")
            {
                hidesInfo = true
            }
            let generates = settings.contains { $0.hasPrefix("INFOPLIST_KEY_") }
            if generates || settings.contains("GENERATE_INFOPLIST_FILE") { info.append(file.text) }
        }
    }

    func lacksInInfo(_ key: String) -> Bool {
        guard !info.isEmpty, !hidesInfo, !settings.contains(where: { $0.contains(key) }) else {
            return false
        }
        return !info.contains { text in
            text.declares(key) || text.contains("INFOPLIST_KEY_\(key)")
        }
    }

    func lacksEntitlement(_ key: String) -> Bool {
        guard !entitlements.isEmpty, !hidesEntitlements,
            !settings.contains(where: { $0.contains(key) })
        else { return false }
        return !entitlements.contains { $0.declares(key) }
    }

    /// Returns whether a property list is an app's Info.plist. Others hold settings, texts or
    /// dictionaries.
    private static func isInfo(_ file: ProjectFile) -> Bool {
        let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
        return name.hasSuffix("Info.plist") || file.text.declares("CFBundleIdentifier")
            || file.text.declares("UILaunchScreen")
    }
}

extension [ProjectFile] {
    /// Returns the files in the innermost folder around a path that has any, itself or in a folder
    /// directly inside; all of them if there is none.
    fileprivate func nearest(to path: String) -> [ProjectFile] {
        var folder = path.folderPath
        while !folder.isEmpty {
            let found = filter {
                $0.path.folderPath == folder || $0.path.folderPath.folderPath == folder
            }
            if !found.isEmpty {
                let own = found.filter { $0.path.folderPath == folder }
                return own.isEmpty ? found : own
            }
            folder = folder.folderPath
        }
        return self
    }
}

extension String {
    /// The path without its last component; empty for a single name.
    fileprivate var folderPath: String {
        lastIndex(of: "/").map { String(self[..<$0]) } ?? ""
    }

    /// Returns whether an XML property list contains `<key>KEY</key>`.
    fileprivate func declares(_ key: String) -> Bool {
        var rest = self[...]
        while let start = rest.firstRange(of: "<key>"),
            let end = rest[start.upperBound...].firstRange(of: "</key>")
        {
            let found = rest[start.upperBound..<end.lowerBound]
            if found.split(whereSeparator: \.isWhitespace).joined() == key { return true }
            rest = rest[end.upperBound...]
        }
        return false
    }

    /// The names of the build settings: the text before `=` in a project's lines.
    fileprivate var settingNames: Set<Substring> {
        split(whereSeparator: \.isNewline).reduce(into: []) { names, line in
            if let name = line.split(maxSplits: 1, whereSeparator: { " \t=\"".contains($0) }).first
            {
                names.insert(name)
            }
        }
    }

    fileprivate var withoutXMLComments: String {
        guard contains("<!--") else { return self }
        var kept = ""
        var rest = self[...]
        while let start = rest.firstRange(of: "<!--") {
            kept += rest[..<start.lowerBound]
            guard let end = rest[start.upperBound...].firstRange(of: "-->") else { return kept }
            rest = rest[end.upperBound...]
        }
        return kept + rest
    }
}

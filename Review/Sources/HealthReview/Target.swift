import SwiftSyntax

/// The files that are compiled together, as far as that can be told: names of one are known in the others.
struct Target: Sendable {
    let name: String
    let files: [SourceFile]
    /// What stands beside the code: property lists, entitlements, Xcode's projects.
    let projectFiles: [ProjectFile]
    /// Every name mentioned anywhere in what is reviewed, in this target and the others.
    let mentioned: Set<String>

    let index: NameIndex
    private(set) var assignedHandlers = AssignedHandlers()
    private let typesByName: [String: [TypeBlock]]

    init(
        name: String, files: [SourceFile], projectFiles: [ProjectFile] = [],
        mentioned: Set<String>? = nil
    ) {
        self.name = name
        self.files = files
        self.projectFiles = projectFiles
        self.mentioned = mentioned ?? files.reduce(into: []) { $0.formUnion($1.uses.names) }
        index = NameIndex(files)
        typesByName = files.reduce(into: [:]) { all, file in
            all.merge(file.declarations.types) { $0 + $1 }
        }
        assignedHandlers = AssignedHandlers(self)
    }

    /// The declaration and the extensions of a type, in the order of the files.
    func types(_ name: String) -> [TypeBlock] { typesByName[name] ?? [] }

    /// Whether any type of the target has a variable of a name.
    func declares(member name: String) -> Bool { index.memberNames.contains(name) }

    /// The functions of a name, members, globals and local ones.
    func functions(_ name: String) -> [FunctionDeclSyntax] { index.functions[name] ?? [] }

    /// The file a node stands in.
    ///
    /// - Complexity: O(depth).
    func file(of node: some SyntaxProtocol) -> SourceFile? {
        index.file(of: node).map { files[$0] }
    }
}

/// A file that isn't Swift and says something about the app.
struct ProjectFile: Sendable {
    enum Kind: Sendable {
        /// An Info.plist or another property list.
        case propertyList
        case entitlements
        /// A project.pbxproj.
        case xcodeProject
        /// A project.yml, from which a project is made, or an .xcconfig.
        case buildSettings
    }
    let path: String
    let kind: Kind
    let text: String
}

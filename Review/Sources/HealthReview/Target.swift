import SwiftSyntax

/// Files that are compiled together, as far as known. Their names are visible to each other.
struct Target: Sendable {
    /// What a target is built into.
    enum Kind: Sendable {
        case app
        /// A package's library, whose Info.plist and entitlements are those of the apps that use it.
        case library
    }

    let name: String
    let kind: Kind
    let files: [SourceFile]
    /// Other files of the project: property lists, entitlements and Xcode projects.
    let projectFiles: [ProjectFile]
    /// The modules in the review that enable background delivery, with the names of the functions
    /// and types that begin it.
    var deliveringModules: [String: Set<String>] = [:]
    /// Every name that occurs in the review, in this target and in the others.
    let mentioned: Set<String>

    let index: NameIndex
    private(set) var assignedHandlers = AssignedHandlers()
    let analyses = TargetAnalyses()
    private let typesByName: [String: [TypeBlock]]
    private let members: [String: TypeMembers]

    init(
        name: String, kind: Kind = .app, files: [SourceFile], projectFiles: [ProjectFile] = [],
        mentioned: Set<String>? = nil
    ) {
        self.name = name
        self.kind = kind
        self.files = files
        self.projectFiles = projectFiles
        self.mentioned = mentioned ?? files.reduce(into: []) { $0.formUnion($1.uses.names) }
        index = NameIndex(files)
        typesByName = files.reduce(into: [:]) { all, file in
            all.merge(file.declarations.types) { $0 + $1 }
        }
        members = typesByName.mapValues { TypeMembers($0) }
        assignedHandlers = AssignedHandlers(self)
    }

    /// Returns the declaration and the extensions of a type, in file order.
    func types(_ name: String) -> [TypeBlock] { typesByName[name] ?? [] }

    /// Returns the members and the superclasses and protocols of a type, over all its declarations.
    func typeMembers(_ name: String) -> TypeMembers? { members[name] }

    /// Returns whether any type of the target has a variable with this name.
    func declares(member name: String) -> Bool { index.memberNames.contains(name) }

    /// Returns whether a name occurs in the target.
    func mentions(_ name: String) -> Bool { files.contains { $0.uses.names.contains(name) } }

    /// Returns the functions with a name: members, globals and local functions.
    func functions(_ name: String) -> [FunctionDeclSyntax] { index.functions[name] ?? [] }

    /// Returns the file that contains a node.
    ///
    /// - Complexity: O(depth).
    func file(of node: some SyntaxProtocol) -> SourceFile? {
        index.file(of: node).map { files[$0] }
    }
}

/// The members of a type by name, and what it inherits, over all its declarations in a target.
struct TypeMembers: Sendable {
    let variables: [String: (binding: PatternBindingSyntax, declaration: VariableDeclSyntax)]
    /// The functions that alone have their name.
    let functions: [String: FunctionDeclSyntax]
    /// The superclass and the protocols, as written.
    let inherited: Set<String>

    init(_ blocks: [TypeBlock]) {
        variables = blocks.reduce(into: [:]) { all, block in
            for (declaration, binding) in block.variables {
                guard let name = binding.boundName, all[name] == nil else { continue }
                all[name] = (binding, declaration)
            }
        }
        let named = Dictionary(grouping: blocks.flatMap(\.functions), by: \.name.text)
        functions = named.compactMapValues { $0.count == 1 ? $0[0] : nil }
        inherited = blocks.reduce(into: []) { $0.formUnion($1.inherited) }
    }
}

/// A file of the project that isn't Swift.
struct ProjectFile: Sendable {
    enum Kind: Sendable {
        /// An Info.plist or another property list.
        case propertyList
        case entitlements
        /// A project.pbxproj.
        case xcodeProject
        /// A project.yml, which a project is generated from, or an .xcconfig.
        case buildSettings
        /// A plugin.xml of Cordova, which adds keys to the apps that use the plugin.
        case pluginManifest
    }
    let path: String
    let kind: Kind
    let text: String
}

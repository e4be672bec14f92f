import Foundation
import HealthArchive

/// Which export of a folder is meant.
enum ExportChoice {
    /// Runs a body with a path; where that is a folder with several exports, asks which one, if
    /// somebody sits at a terminal.
    ///
    /// - Throws: ``ArchiveError`` `severalExports`, which names them, where nobody can be asked.
    static func asking(_ path: String, _ run: (String) throws -> Void) throws {
        do {
            try run(path)
        } catch let error as ArchiveError {
            var isFolder: ObjCBool = false
            guard case .severalExports(let names) = error.code, Question.canBeAsked,
                FileManager.default.fileExists(atPath: error.name, isDirectory: &isFolder),
                isFolder.boolValue
            else { throw error }
            let question = "\(error.name.printable) holds \(names.count) exports. Which one?"
            guard let name = Question.choose(question, among: names) else {
                throw NotDone("Nothing was imported.")
            }
            try run(error.name + "/" + name)
        }
    }
}

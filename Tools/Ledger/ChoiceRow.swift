import Foundation

/// One matter in which Apple's behaviour is not documented, has changed or is a defect, with what
/// happens here and on what evidence.
struct ChoiceRow {
    let matter: String
    let behaviour: String
    let evidence: String

    /// The rows of `Data/healthkit-choices.tsv`, in its order.
    static func all(in tree: SourceTree) throws -> [ChoiceRow] {
        let lines = try tree.data("healthkit-choices.tsv").split(separator: "\n")
        return try lines.filter { !$0.hasPrefix("#") }.dropFirst().map {
            let cells = $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard cells.count == 3 else { throw LedgerError("healthkit-choices.tsv: \($0)") }
            return ChoiceRow(matter: cells[0], behaviour: cells[1], evidence: cells[2])
        }
    }
}

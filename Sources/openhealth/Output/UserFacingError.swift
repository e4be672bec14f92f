import HealthArchive
import HealthCalendar
import HealthFormats
import HealthIntake
import HealthSimulator
import HealthStorage

/// An error with a message for the user.
protocol UserFacingError: Error, CustomStringConvertible {
    /// What happened and what to do; by default the description.
    var sentence: String { get }
}

extension UserFacingError {
    var sentence: String { description }
}

extension CommandError: UserFacingError {}
extension CalendarError: UserFacingError {}
extension SimulationError: UserFacingError {}
extension JSONLinesError: UserFacingError {}
extension SmartHealthCardImporter.Fault: UserFacingError {}
extension ParquetError: UserFacingError {}

extension ArchiveError: UserFacingError {
    var sentence: String {
        guard case .unwritable(let fault) = code, let advice = fault.advice else {
            return description
        }
        return "\(description). \(advice)"
    }
}

extension ImportUndoError: UserFacingError {
    var sentence: String {
        switch self {
        case .unknown: "\(description) For a list of imports, run openhealth imports."
        case .blocked(let number, let obstacles):
            ImportUndoError.blocked(number, []).description
                + obstacles.map { "  \($0.advised)" }.joined(separator: "\n")
        case .notNewest, .missingUndoData: description
        }
    }
}

extension ImportUndoError.Obstacle {
    fileprivate var advised: String {
        guard case .ordered(let type, _) = self else { return description }
        return "\(description): openhealth sources reset \(type)"
    }
}

extension PersonMismatch: UserFacingError {
    var sentence: String {
        "\(description) If it is from the same person, add --same-person. Otherwise use --as NAME "
            + "to import it into that person's own store."
    }
}

extension ExportLoss {
    /// The description, with the option that prevents the loss if there is one.
    var sentence: String {
        switch self {
        case .homeZone: "\(description); import with --time-zone to keep it"
        case .dayNotes: "\(description); use jsonl or sqlite"
        case .medications: "\(description); use jsonl"
        default: description
        }
    }
}

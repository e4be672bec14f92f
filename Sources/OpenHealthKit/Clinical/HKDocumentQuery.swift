public import Foundation

/// Asks for clinical documents, which no store of ours keeps yet: executed, it reports
/// ``HKError/errorHealthDataUnavailable``.
open class HKDocumentQuery: HKQuery, @unchecked Sendable {  // immutable but for the locked handler
    private let mostDocuments: Int
    private let order: [NSSortDescriptor]?
    private let withData: Bool
    private let handler:
        QueryHandler<
            @Sendable (HKDocumentQuery, [HKDocumentSample]?, Bool, (any Error)?) -> Void
        >

    /// Asks for documents of a type.
    @preconcurrency
    public required init(
        documentType: HKDocumentType, predicate: NSPredicate?, limit: Int,
        sortDescriptors: [NSSortDescriptor]?, includeDocumentData: Bool,
        resultsHandler:
            @escaping @Sendable (HKDocumentQuery, [HKDocumentSample]?, Bool, (any Error)?) -> Void
    ) {
        mostDocuments = limit
        order = sortDescriptors
        withData = includeDocumentData
        handler = QueryHandler(resultsHandler)
        super.init(_objectType: documentType, predicate: predicate)
    }

    /// How many documents at most.
    open var limit: Int { mostDocuments }
    /// In which order documents come.
    open var sortDescriptors: [NSSortDescriptor]? { order }
    /// Whether the documents' data come along.
    open var includeDocumentData: Bool { withData }

    override func run(_ execution: QueryExecution) throws {
        throw HKError.absent("Reading clinical documents")
    }

    override func report(_ error: HKError) { handler.current?(self, nil, true, error) }
    override func releaseHandlers() { handler.current = nil }
}

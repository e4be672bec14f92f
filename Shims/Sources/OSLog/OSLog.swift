// Apple's OSLog adds OSLogStore to os; there is no log to read back here, so it adds nothing.
@_exported public import os

// Apple's OSLog adds OSLogStore to os. There is no log to read on Linux, so this adds nothing.
@_exported public import os

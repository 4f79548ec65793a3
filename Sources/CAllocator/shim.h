// The allocator of the tool: it stands in for the C library's wherever it is linked.
#pragma once
#include <mimalloc.h>

// The allocator of the tool. Linking it replaces the allocator of the C library.
#pragma once
#include <mimalloc.h>

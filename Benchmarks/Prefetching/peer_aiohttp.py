#!/usr/bin/env python3
"""Downloads a list with aiohttp; if SIDE is above 0, also reduces the images with Pillow in one process per core.

    peer_aiohttp.py LIST IN_FLIGHT SIDE
"""
import asyncio
import io
import os
import sys
from concurrent.futures import ProcessPoolExecutor

import aiohttp
from PIL import Image

LIST, IN_FLIGHT, SIDE = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def thumbnail(body):
    picture = Image.open(io.BytesIO(body))
    picture.thumbnail((SIDE, SIDE))
    picture.load()
    return picture.size


async def work(session, urls, pool):
    loop = asyncio.get_running_loop()
    for url in urls:
        async with session.get(url) as response:
            response.raise_for_status()
            body = await response.read()
        if SIDE:
            await loop.run_in_executor(pool, thumbnail, body)


async def main():
    urls = iter(open(LIST).read().split())
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=IN_FLIGHT)) as session:
            await asyncio.gather(*(work(session, urls, pool) for _ in range(IN_FLIGHT)))


asyncio.run(main())

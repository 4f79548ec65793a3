"""A server of the interface of S3 for tests: moto behind a check of every signature, with injected failures."""

import io
import logging
import random
import socket
import threading
import time
from urllib.parse import parse_qsl

import boto3
from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

ACCESS, SECRET, TOKEN = "AKIDTESTTESTTEST", "secret/of+the/test", "token/of+the/test=="


def error(code):
    return f'<?xml version="1.0"?><Error><Code>{code}</Code><Message>Text with {SECRET}</Message></Error>'.encode()


class HTTP11(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"


class Store:
    """A running server. `failures` is the share of requests that fail; `delay` the seconds that each part takes."""

    def __init__(self):
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self.app = DomainDispatcherApplication(create_backend_app)
        self.lock = threading.Lock()
        self.reset()
        self.server = make_server("127.0.0.1", 0, self, threaded=True, request_handler=HTTP11)
        self.url = f"http://127.0.0.1:{self.server.port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.client = boto3.client(
            "s3", endpoint_url=self.url, aws_access_key_id=ACCESS, aws_secret_access_key=SECRET, region_name="us-east-1")

    def reset(self, seed=1):
        self.random, self.failures, self.delay = random.Random(seed), 0, 0
        self.requests, self.refused, self.tokens = [], [], set()

    def __call__(self, environ, start_response):
        # Reads the content first, so that the connection can be used again after a refusal.
        content = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        environ["wsgi.input"] = io.BytesIO(content)
        target = environ["REQUEST_URI"]
        with self.lock:
            self.requests.append((environ["REQUEST_METHOD"], target))
            fate = self.random.random()
        if not self.is_signed(environ, target):
            self.refused.append((environ["REQUEST_METHOD"], target))
            return self.refuse("403 Forbidden", error("SignatureDoesNotMatch"), start_response)
        if "partNumber=" in target and self.delay:
            time.sleep(self.delay)
        is_tool = environ.get("HTTP_USER_AGENT", "").startswith("cellophane/")
        if is_tool and fate < self.failures / 2:
            return self.refuse("503 Slow Down", error("SlowDown"), start_response)
        response = self.app(environ, start_response)
        if is_tool and fate < self.failures:
            # The request succeeds, but the connection breaks before the response.
            list(response)
            environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
            raise ConnectionError
        return response

    def refuse(self, status, body, start_response):
        start_response(status, [("Content-Type", "application/xml"), ("Content-Length", str(len(body)))])
        return [body]

    def is_signed(self, environ, target):
        """Computes the signature with botocore, which shares no code with libcurl."""
        field = environ.get("HTTP_AUTHORIZATION", "")
        if not field.startswith("AWS4-HMAC-SHA256 "):
            return False
        parts = dict(part.strip().split("=", 1) for part in field[len("AWS4-HMAC-SHA256 "):].split(","))
        key, date, region, service, _ = parts["Credential"].split("/")
        headers = {}
        for name in parts["SignedHeaders"].split(";"):
            variable = name.upper().replace("-", "_")
            headers[name] = environ.get(variable if variable in ("CONTENT_TYPE", "CONTENT_LENGTH") else "HTTP_" + variable)
        if "x-amz-security-token" in headers:
            self.tokens.add(headers["x-amz-security-token"])
        # S3 refuses requests with unsigned fields of these names.
        required = {name.lower().replace("_", "-")[5:] for name in environ if name.startswith("HTTP_X_AMZ_")}
        if None in headers.values() or not required <= set(headers) or (service, key) != ("s3", ACCESS):
            return False
        request = AWSRequest(environ["REQUEST_METHOD"], "http://" + environ["HTTP_HOST"] + target, headers=headers)
        request.context["timestamp"] = headers["x-amz-date"]
        signer = S3SigV4Auth(Credentials(ACCESS, SECRET), service, region)
        text = signer.string_to_sign(request, signer.canonical_request(request))
        return signer.signature(text, request) == parts["Signature"] and date == headers["x-amz-date"][:8]

    def objects(self, bucket, prefix=""):
        """Returns the content of all objects by their keys."""
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix)
        keys = [item["Key"] for page in pages for item in page.get("Contents", [])]
        return {key: self.client.get_object(Bucket=bucket, Key=key)["Body"].read() for key in keys}

    def incomplete_uploads(self, bucket):
        return [upload["Key"] for upload in self.client.list_multipart_uploads(Bucket=bucket).get("Uploads", [])]

    def parts_sent(self):
        """Returns the paths and numbers of the parts that were sent."""
        return [(target.split("?")[0], dict(parse_qsl(target.split("?")[1]))["partNumber"])
                for method, target in self.requests if method == "PUT" and "partNumber=" in target]

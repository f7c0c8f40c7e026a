# Tests of an application in Python on the command of the fake service, run with `python3 -m unittest test_guests.py`.
import json
import os
import subprocess
import unittest
from urllib.request import Request, urlopen

COMMAND = "node_modules/.bin/messaging-service-client fake --empty --env --port 0"


def call(url, body=None, **headers):
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, {"content-type": "application/json", **headers})) as response:
        return json.loads(response.read() or "null")


def tell_guest(phone):
    """Informs a guest that the table is ready: the part of the application that the test checks."""
    message = {
        "phoneNumber": phone,
        "webhookUrl": "https://example.com/webhooks/messages",
        "rcsPayload": {"text": "Your table is ready 🎉"},
        "smsFailover": "Your table is ready",
    }
    url = os.environ["MESSAGING_TRANSACTIONAL_BASE_URL"] + "/transactional_messages/send_rcs_text"
    return call(url, message, **{"x-api-key": os.environ["MESSAGING_TRANSACTIONAL_API_KEY"]})


class TellGuest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.fake = subprocess.Popen(COMMAND.split(), stdout=subprocess.PIPE, text=True)
        cls.addClassCleanup(cls.fake.communicate)
        cls.addClassCleanup(cls.fake.terminate)
        for _ in range(5):
            name, value = cls.fake.stdout.readline().strip().split("=", 1)
            os.environ[name] = value
        cls.control = os.environ["MESSAGING_TRANSACTIONAL_BASE_URL"] + "/__fake"

    def setUp(self):
        call(self.control + "/reset", {"empty": True})

    def test_the_guest_receives_the_text(self):
        transaction = tell_guest("(206) 555-0123")
        [message] = call(self.control + "/messages?to=206-555-0123&wait=2000")
        self.assertEqual(message["text"], "Your table is ready 🎉")
        self.assertEqual(message["transactionId"], transaction["transactionId"])

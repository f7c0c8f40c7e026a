// Downloads that stall, and downloads that the caller cancels.
import { getEventListeners } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { AbortError, TimeoutError } from "../../src/index.ts";
import { downloadReport } from "../../src/reports/index.ts";
import { errorOf, sleep } from "../support/calls.ts";
import { linkTo, serve } from "../support/servers/file-host.ts";
import { hang, resetBeforeReading, startLoopback } from "../support/servers/loopback.ts";
import { useTurningClock } from "../support/turning-clock.ts";
import { bytesOf, expectNoLink, FILE } from "./downloads.ts";

// The tests use real sockets and wait through ky's pauses, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

describe("the stall timeout", () => {
  useTurningClock();

  test("the stall timeout ends a request whose response does not begin", async () => {
    await using host = await startLoopback(hang);
    const options = { stallTimeout: 500, retry: 0 };
    const error = await errorOf(downloadReport({ s3_url: linkTo(host) }, options));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error.message).toBe("GET {s3_url}: no byte arrived for 500 ms");
    expectNoLink(error);
    await expect.poll(() => host.onlyRequest().abandoned).toBe(true);
  });

  test("the stall timeout ends the body of a file that stalls", async () => {
    const options = { pieces: [1000], ending: "stall" } as const;
    await using host = await startLoopback(serve(FILE, options));
    const download = await downloadReport({ s3_url: linkTo(host) }, { stallTimeout: 500 });
    const error = await errorOf(bytesOf(download));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ timeoutMs: 500, phase: "attempt", outcome: "not_sent" });
    await expect.poll(() => host.onlyRequest().abandoned).toBe(true);
  });

  test("bytes() requests a file that stalls again, over a new connection", async () => {
    const options = { pieces: [1000, 1_000_000], ending: "stall" } as const;
    await using host = await startLoopback(serve(FILE, options));
    const file = await downloadReport({ s3_url: linkTo(host) }, { stallTimeout: 500 });
    expect(FILE.equals(await file.bytes())).toBe(true);
    expect(host.requests).toHaveLength(2);
  });

  test("the stall timeout limits neither a slow file that keeps arriving nor a slow consumer", async () => {
    await using host = await startLoopback(async ({ response }) => {
      response.writeHead(200, { "content-length": 8 });
      for (let sent = 0; sent < 8; sent += 1) {
        response.write("x");
        await sleep(50);
      }
      response.end();
    });
    const { body } = await downloadReport({ s3_url: linkTo(host) }, { stallTimeout: 500 });
    let text = "";
    for await (const chunk of body) {
      text += new TextDecoder().decode(chunk);
      if (text.length < 3) await sleep(700);
    }
    expect(text).toBe("xxxxxxxx");
  });
});

describe("a canceled download", () => {
  const give = { headers: {}, pieces: [1000], ending: "stall" } as const;

  test("a canceled download sends nothing if its signal fired before the start", async () => {
    await using host = await startLoopback(serve(FILE));
    const signal = AbortSignal.abort("left");
    const error = await errorOf(downloadReport({ s3_url: linkTo(host) }, { signal }));
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ outcome: "not_sent", cause: "left" });
    expect(host.requests).toEqual([]);
  });

  test("a canceled download closes the connection if its signal fires while the host is silent", async () => {
    await using host = await startLoopback(hang);
    const controller = new AbortController();
    const { signal } = controller;
    const failed = errorOf(downloadReport({ s3_url: linkTo(host) }, { signal }));
    await expect.poll(() => host.requests.length).toBe(1);
    controller.abort("left");
    expect(await failed).toMatchObject({ code: "abort", cause: "left" });
    await expect.poll(() => host.onlyRequest().abandoned).toBe(true);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test.each([
    ["while its body is read", true],
    ["while nobody reads its body", false],
  ])(
    "a canceled download closes the connection if its signal fires half-way %s",
    async (_, isRead) => {
      await using host = await startLoopback(serve(FILE, give));
      const controller = new AbortController();
      const { signal } = controller;
      const { body } = await downloadReport({ s3_url: linkTo(host) }, { signal });
      const reader = body.getReader();
      await reader.read();
      const reading = isRead ? errorOf(reader.read()) : undefined;
      controller.abort("left");
      const error = await (reading ?? errorOf(reader.read()));
      expect(error).toBeInstanceOf(AbortError);
      expect(error.cause).toBe("left");
      await expect.poll(() => host.onlyRequest().abandoned).toBe(true);
      expect(getEventListeners(signal, "abort")).toEqual([]);
    },
  );

  test("a canceled download sends no further request if its body is canceled while it is read", async () => {
    await using host = await startLoopback(serve(FILE, give));
    const { body } = await downloadReport({ s3_url: linkTo(host) });
    const reader = body.getReader();
    await reader.read();
    const reading = reader.read();
    await sleep(20);
    await reader.cancel();
    expect(await reading).toMatchObject({ done: true });
    await expect.poll(() => host.onlyRequest().abandoned).toBe(true);
    await sleep(100);
    host.onlyRequest();
  });

  const never = () => new Promise<never>(() => {});
  test.each<[string, () => Promise<Response>]>([
    ["its request", never],
    ["its body", async () => new Response(new ReadableStream({ pull: never }))],
  ])(
    "a canceled download ends at once, even if the caller's own fetch ignores the signal of %s",
    async (_, fetch) => {
      for (const stallTimeout of [false, 60_000] as const) {
        const controller = new AbortController();
        const { signal } = controller;
        const s3_url = "https://files.example.com/a";
        const failed = errorOf(
          downloadReport({ s3_url }, { fetch, signal, stallTimeout }).then(bytesOf),
        );
        await sleep(20);
        controller.abort("left");
        expect(await failed).toMatchObject({ code: "abort", cause: "left" });
        expect(getEventListeners(signal, "abort")).toEqual([]);
      }
    },
  );

  test("a canceled download closes the connection if its body is canceled, and has no text", async () => {
    await using host = await startLoopback(serve(FILE, give));
    const { signal } = new AbortController();
    const file = await downloadReport({ s3_url: linkTo(host) }, { signal });
    await file.body.cancel();
    await expect(file.text()).rejects.toThrow("the body of this file has already been read");
    await expect.poll(() => host.onlyRequest().abandoned).toBe(true);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("a canceled download closes the connection if onProgress throws, and rejects with that error", async () => {
    await using host = await startLoopback(serve(FILE, give));
    const full = new Error("the disk is full");
    const onProgress = () => {
      throw full;
    };
    const { body } = await downloadReport({ s3_url: linkTo(host) }, { onProgress });
    await expect(new Response(body).text()).rejects.toBe(full);
    await expect.poll(() => host.onlyRequest().abandoned).toBe(true);
  });

  test("a canceled download leaves no listener on its signal, however it ends", async () => {
    const { signal } = new AbortController();
    await using host = await startLoopback(serve(FILE), resetBeforeReading);
    await bytesOf(await downloadReport({ s3_url: linkTo(host) }, { signal }));
    await errorOf(downloadReport({ s3_url: linkTo(host) }, { signal, retry: 0 }));
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("promises returned by onProgress", () => {
  test("a promise of onProgress is awaited before the next chunk is read", async () => {
    await using host = await startLoopback(serve(FILE));
    const steps: string[] = [];
    const onProgress = async () => {
      steps.push("begins");
      await sleep(5);
      steps.push("ends");
    };
    const file = await downloadReport({ s3_url: linkTo(host) }, { onProgress });
    expect((await bytesOf(file)).equals(FILE)).toBe(true);
    expect(steps.length).toBeGreaterThan(2);
    expect(steps).toEqual(steps.map((_, index) => (index % 2 ? "ends" : "begins")));
  });

  test.each([
    ["rejects", async () => Promise.reject(new Error("the disk is full"))],
    [
      "cannot be awaited",
      () =>
        // biome-ignore lint/suspicious/noThenProperty: this is a broken promise.
        Object.defineProperty({}, "then", {
          get: () => {
            throw new Error("the disk is full");
          },
        }),
    ],
  ])("a promise of onProgress that %s ends the download with its error", async (_, onProgress) => {
    await using host = await startLoopback(serve(FILE, { pieces: [1000], ending: "stall" }));
    const { signal } = new AbortController();
    const { body } = await downloadReport({ s3_url: linkTo(host) }, { onProgress, signal });
    await expect(new Response(body).text()).rejects.toThrow("the disk is full");
    await expect.poll(() => host.onlyRequest().abandoned).toBe(true);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test.each(["the signal", "body.cancel()"])(
    "a pending promise of onProgress does not keep %s from ending the download",
    async (how) => {
      await using host = await startLoopback(serve(FILE, { pieces: [1000], ending: "stall" }));
      const controller = new AbortController();
      const { signal } = controller;
      let fail = (_error: Error) => {};
      const pending = new Promise<never>((_, reject) => {
        fail = reject;
      });
      const onProgress = vi.fn(() => pending);
      const { body } = await downloadReport({ s3_url: linkTo(host) }, { onProgress, signal });
      const reader = body.getReader();
      const reading = reader.read().catch((error: unknown) => error);
      await expect.poll(() => onProgress.mock.calls.length).toBe(1);
      if (how === "the signal") {
        controller.abort("left");
        expect(await reading).toMatchObject({ code: "abort", cause: "left" });
      } else {
        await reader.cancel();
        expect(await reading).toMatchObject({ done: true });
      }
      await expect.poll(() => host.onlyRequest().abandoned).toBe(true);
      expect(getEventListeners(signal, "abort")).toEqual([]);
      fail(new Error("too late"));
    },
  );
});

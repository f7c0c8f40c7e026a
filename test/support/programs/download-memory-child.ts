// A child process that downloads a large file, and reports its memory use during the download.
import { downloadReport } from "../../../src/reports/index.ts";

const [, , s3_url = "", size = "0"] = process.argv;

/** A generated file, which repeats the same piece of zeros. */
const piece = new Uint8Array(1_000_000);
const sparse = async () => {
  let left = Number(size);
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      controller.enqueue(piece);
      left -= piece.length;
      if (left === 0) controller.close();
    },
  });
  return new Response(body, { headers: { "content-length": size } });
};

const used: number[] = [];
let received = 0;
const look = () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  used.push(heapUsed + external);
};
const options = s3_url.startsWith("https:") ? { fetch: sparse } : {};
const { body } = await downloadReport({ s3_url }, options);
const reader = body.getReader();
for (let pieces = 0; ; pieces += 1) {
  const { done, value } = await reader.read();
  if (done) break;
  received += value.byteLength;
  if (pieces % 500 === 0) look();
}
console.log(JSON.stringify({ received, used }));

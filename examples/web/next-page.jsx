// Next.js page that shows your lists, rendered on the server. Save it as app/lists/page.jsx.
import { MessagingServiceError, V2Client } from "messaging-service-client/v2";
import { connection } from "next/server";

let v2;

export default async function Page({ searchParams }) {
  await connection(); // `next build` has no key, so it stops here; only requests continue
  v2 ??= new V2Client();
  const { page = "1" } = await searchParams;
  try {
    const lists = await v2.lists.list({ page: Number(page), per_page: 50, include_deleted: false });
    return (
      <>
        {lists.items.map(({ id, name }) => (
          <p key={id}>{name}</p>
        ))}
        {lists.hasNextPage() && <a href={`?page=${lists.page + 1}`}>Next page</a>}
      </>
    );
  } catch (error) {
    if (!MessagingServiceError.is(error)) throw error; // Next.js throws for its control flow
    return <p>The lists cannot be read now: {error.code}</p>;
  }
}

// Next.js page that lists lists, on the server. Save it as app/lists/page.jsx.
import { MessagingServiceError, V2Client } from "messaging-service-client/v2";
import { connection } from "next/server";

let v2;

export default async function Page({ searchParams }) {
  await connection(); // `next build` renders each page once, without a key: only a request gets past this line
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
    if (!MessagingServiceError.is(error)) throw error; // control flow of Next.js passes through
    return <p>The lists cannot be read now: {error.code}</p>;
  }
}

import Link from 'next/link'

export default function Prefetched() {
  return (
    <main>
      <h1>Prefetched</h1>
      <Link href="/provoked/many/1" prefetch={true}>
        one
      </Link>
    </main>
  )
}

import Link from 'next/link'

const numbers = Array.from({ length: 20 }, (_, index) => index + 1)

export default function Many() {
  return (
    <main>
      {numbers.map((number) => (
        <Link key={number} href={`/provoked/many/${number}`} prefetch={true}>
          {number}
        </Link>
      ))}
    </main>
  )
}

export default async function One({ params }: { params: Promise<{ number: string }> }) {
  return <h1>Number {(await params).number}</h1>
}

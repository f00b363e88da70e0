interface DownloadedFile {
  /** As the member knows it, without its ending. */
  name: string
  format: 'csv' | 'json'
  text: string
}

const contentTypes = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' }

/** Sends a file that the browser saves and no cache keeps. */
export const fileResponse = ({ name, format, text }: DownloadedFile): Response =>
  new Response(text, {
    headers: {
      'content-type': contentTypes[format],
      'content-disposition': `attachment; ${fileName(name, format)}`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    },
  })

/** Says in a sentence why there is no file. */
export const textResponse = (status: number, words: string): Response =>
  new Response(`${words}\n`, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  })

/** In letters that every browser takes, and as it is written: RFC 6266. */
function fileName(name: string, format: string): string {
  const whole = `${
    name
      .replaceAll(/[\p{Cc}/\\:*?"<>|\s]+/gu, ' ')
      .trim()
      .slice(0, 100) || 'answer'
  }.${format}`
  const plain = whole.replaceAll(/[^\x20-\x7e]/g, '_')
  return `filename="${plain}"; filename*=UTF-8''${encodeURIComponent(whole.toWellFormed())}`
}

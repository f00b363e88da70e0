export { GET } from '#studio/insights/answer-file-route'

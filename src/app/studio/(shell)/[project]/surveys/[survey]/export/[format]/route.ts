export { GET } from '#studio/surveys/responses/response-export-route'

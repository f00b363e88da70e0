import { clientPackagesPath, serveClientPackage } from '#http/client-packages'
import { countryFlagsPath, serveCountryFlag } from '#http/country-flags'
import { answerMetrics, answerReadiness } from '#http/health'
import { importUploadsPath, receiveImportFiles } from '#http/import-uploads'
import { answerJson } from '#http/json-response'
import { bodyLimits, visitorFormLimits } from '#http/limits'
import { answerLive } from '#http/live-feed'
import { answerSiteFrame, siteFramePath } from '#http/site-frame'
import type { RequestToAnswer } from '#http/trusted-request'
import { serveImage, uploadImage, uploadsPath } from '#http/uploads'
import { answerWireRequest, plainWireResponse, type WireAdmission } from '#http/wire-exchange'
import { newsletterPath } from '#letters/subscription-links'
import { imagesPath } from '#posts/images'
import { answerLetter } from '#site-serving/letter-pages'
import { answerNewsletter } from '#site-serving/newsletter-pages'
import { answerForm, formsOf, formsPath, openFormRateLimiter } from '#site-serving/site-forms'
import {
  answerStaticDecisions,
  answerStaticPage,
  staticDecisionsPath,
  staticPagePath,
} from '#site-serving/static-requests'
import { answerSitePreview, sitePreviewPath } from '#site-serving/site-preview'
import { answerUnsubscribe } from '#site-serving/survey-letter-pages'
import { answerSurveyPage, openPinRateLimiter, surveyPagesOf } from '#site-serving/survey-pages'
import { answerShare } from '#site-serving/uncached-pages'
import { unsubscribePath } from '#surveys/mailings/unsubscribe-links'
import type { Dialect } from '#wire/dialect'
import { createRouteMatcher } from '#wire/route-matcher'
import { apiPolicy, apiRoutes } from './api-routes'
import { cachedPageResponse } from './plain-lane'
import { probesOf } from './ready'
import { at, methodsToRead, pagePolicy, type Route, route, type RoutePolicy } from './route'
import type { FrontContext } from './run-route'
import { siteFolderCalls, siteFolderFiles } from './site-folder-routes'

interface RoutesContext extends FrontContext {
  /** The limits of requests of SDKs. */
  admission: WireAdmission
  /** The limit of an SDK's request body, by the available memory. */
  largestWireBody: number
  /** The dialects of SDKs. */
  dialects?: readonly Dialect[]
  /** Functions that end the open streams. */
  streams: Set<() => void>
}

const toPost = new Set(['POST'])
const toReadOrPost = new Set([...methodsToRead, 'POST'])
const probePolicy: RoutePolicy = {
  format: 'line',
  hosts: 'any',
  ownOrigin: false,
  methods: methodsToRead,
  maxBodyBytes: bodyLimits.none,
  isForwarded: false,
}
const wirePolicy: RoutePolicy = {
  ...probePolicy,
  format: 'wire',
  methods: pagePolicy.methods,
  maxBodyBytes: bodyLimits.wire,
}
const staticDecisionsPolicy: RoutePolicy = { ...wirePolicy, methods: methodsToRead }
const staticPagePolicy: RoutePolicy = { ...apiPolicy, methods: toPost }
const studioPolicy: RoutePolicy = { ...pagePolicy, namesAwaitedStore: true }
const livePolicy: RoutePolicy = { ...pagePolicy, format: 'api', methods: methodsToRead }
const previewPolicy: RoutePolicy = { ...pagePolicy, methods: methodsToRead, isForwarded: false }
const uploadPolicy: RoutePolicy = { ...pagePolicy, format: 'api', methods: toPost, isForwarded: false }
const imagePolicy: RoutePolicy = { ...uploadPolicy, maxBodyBytes: bodyLimits.image }
const sitePolicy: RoutePolicy = { ...pagePolicy, hosts: 'sites', isForwarded: false }
const filePolicy: RoutePolicy = { ...sitePolicy, methods: methodsToRead }
// forms of the site have routes of their own
const sitePagePolicy: RoutePolicy = { ...filePolicy, maxBodyBytes: bodyLimits.none }
const formPolicy: RoutePolicy = { ...sitePolicy, methods: toPost, maxBodyBytes: visitorFormLimits.bytes.site }
// on every host: a link in a letter leads to whichever was known then; the page of a survey may stand in a frame of another
// site, whose visitors still post to this one
const surveyPolicy: RoutePolicy = {
  ...sitePolicy,
  methods: toReadOrPost,
  maxBodyBytes: visitorFormLimits.bytes.survey,
}
// a page is requested once, or every minute; an attacker who guesses addresses sends many requests
const sharePolicy: RoutePolicy = { ...pagePolicy, rateLimit: { limit: 300, windowMs: 60_000 } }
// mail programs send these requests from anywhere: the sealed link counts, not a cookie
const letterPolicy: RoutePolicy = {
  ...sharePolicy,
  ownOrigin: false,
  methods: toReadOrPost,
  maxBodyBytes: bodyLimits.none,
  isForwarded: false,
}
// posts are sent with links to the host of their site
const newsletterPolicy: RoutePolicy = { ...letterPolicy, hosts: 'sites' }

/** All routes; the first match answers. Health checks are answered before them. */
export const routesOf = (context: RoutesContext): readonly Route[] => [
  ...ownRoutes(context),
  ...visitorRoutes(),
  ...clientRoutes(context),
  ...pageRoutes(context),
]

/** Addresses of Tilth's own, for operators, browsers and members. */
function ownRoutes({ config, metrics, streams }: RoutesContext): Route[] {
  return [
    route('ready', at('/_tilth/ready'), probePolicy, {
      answer: (exchange, services) => answerReadiness(exchange, probesOf(services), config.metricsToken),
    }),
    route('metrics', at('/_tilth/metrics'), probePolicy, {
      answer: (exchange) => answerMetrics(exchange, metrics, config.metricsToken),
    }),
    route('live', at('/_tilth/live/*'), livePolicy, { needs: ['product', 'live'], answer: answerLive }),
    route('site frame', at(`${siteFramePath}/*`), livePolicy, {
      needs: ['product'],
      answer: answerSiteFrame,
    }),
    route(
      'built files',
      ({ trustedRequest: { path } }, { builtFiles }) => builtFiles?.has(path),
      filePolicy,
      {
        needs: ['builtFiles'],
        answer: ({ request, response, trustedRequest: { path } }, { builtFiles }) =>
          builtFiles.serve(path, request, response),
      },
    ),
    // data of pages, as the client of Next's Pages Router asks for them: no page has any, and 404 makes that client
    // load the document instead (next/dist/shared/lib/router/router.js, `fetchNextData`)
    route('page data', at('/_next/data/*'), filePolicy, {
      answer: ({ response }) => answerJson(response, 404, {}),
    }),
    ...siteFolderFiles(streams),
    route('images', at(`${imagesPath}/*`), probePolicy, { needs: ['product'], answer: serveImage }),
    route('country flags', at(`${countryFlagsPath}/*`), probePolicy, { answer: serveCountryFlag }),
    route('packages', at(`${clientPackagesPath}/*`), probePolicy, {
      needs: ['clientPackages'],
      answer: serveClientPackage,
    }),
    route('uploads', at(`${uploadsPath}/*`), imagePolicy, { needs: ['product'], answer: uploadImage }),
    route('import files', at(`${importUploadsPath}/*`), uploadPolicy, {
      needs: ['product'],
      answer: receiveImportFiles,
    }),
  ]
}

/** Addresses that visitors and readers follow, and servers with pages of a site. */
function visitorRoutes(): Route[] {
  const maySendForm = openFormRateLimiter()
  const mayTryPin = openPinRateLimiter()
  return [
    route('forms', at(`${formsPath}/*`), formPolicy, {
      needs: ['product', 'intake'],
      answer: (exchange, { product, intake }, body) =>
        answerForm(exchange, body, formsOf(product, intake), maySendForm),
    }),
    route('survey pages', ({ trustedRequest: { path } }) => /^\/s\/[\w-]+$/.test(path), surveyPolicy, {
      needs: ['product', 'intake'],
      answer: (exchange, { product, intake }, body) =>
        answerSurveyPage(exchange, body, surveyPagesOf(product, intake, mayTryPin)),
    }),
    route('letters', at('/_tilth/letters/*'), letterPolicy, { needs: ['product'], answer: answerLetter }),
    route('letters with surveys', at(`${unsubscribePath}/*`), letterPolicy, {
      needs: ['product'],
      answer: answerUnsubscribe,
    }),
    route('newsletter', at(`${newsletterPath}/*`), newsletterPolicy, {
      needs: ['product', 'intake'],
      answer: answerNewsletter,
    }),
    route('site preview', at(`${sitePreviewPath}/*`), previewPolicy, {
      needs: ['product', 'staticPages'],
      answer: answerSitePreview,
    }),
    route('static page', at(staticPagePath), staticPagePolicy, {
      needs: ['product', 'staticPages'],
      answer: answerStaticPage,
    }),
    route('static decisions', at(staticDecisionsPath), staticDecisionsPolicy, {
      needs: ['product', 'staticPages'],
      answer: answerStaticDecisions,
    }),
  ]
}

/** Addresses of programs: SDKs, scripts and servers. */
function clientRoutes(context: RoutesContext): Route[] {
  const { admission, streams, largestWireBody } = context
  const dialectPolicy = { ...wirePolicy, maxBodyBytes: Math.min(bodyLimits.wire, largestWireBody) }
  const dialectRouteOf = wireMatcher(context)
  return [
    // the routes of every dialect, under any prefix
    route('wire', dialectRouteOf, dialectPolicy, {
      needs: ['wire'],
      answer: (exchange, { wire }, body, match) =>
        answerWireRequest(exchange, body, match, { ...admission, wire, streams }),
      plainHandlerFor(request, { wire }) {
        const match = wire && request.request.method === 'POST' ? dialectRouteOf(request) : undefined
        return match && wire && ((body) => plainWireResponse(request, body, match, { ...admission, wire }))
      },
    }),
    ...apiRoutes(context),
  ]
}

/** Every other address: pages. */
function pageRoutes({ config }: RoutesContext): Route[] {
  return [
    route('share', at('/share/*'), sharePolicy, { needs: ['product', 'pages'], answer: answerShare }),
    ...siteFolderCalls(),
    // every address of no other route
    route('site', ({ trustedRequest: { path } }, { site }) => site?.owns(path), sitePagePolicy, {
      needs: ['site'],
      answer: (exchange, { site }) => site.answer(exchange),
      plainHandlerFor: (request, { site }) =>
        request.request.method === 'GET' && site?.owns(request.trustedRequest.path)
          ? () => cachedPageResponse(request, site, config)
          : undefined,
    }),
    route('pages', () => true, studioPolicy, {
      needs: ['pages'],
      answer: ({ request, response }, { pages }) => pages.serve(request, response),
    }),
  ]
}

/** Finds the route of a dialect. */
function wireMatcher({ dialects = [] }: RoutesContext) {
  const find = createRouteMatcher(dialects)
  return ({ request: { method = '', url = '' }, trustedRequest: { path } }: RequestToAnswer) =>
    find(method, path, url.slice(path.length + 1))
}

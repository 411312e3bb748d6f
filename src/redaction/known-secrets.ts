/** A kind of secret that can be told by its form. */
export interface KnownSecret {
  /** Stands in the mask. */
  readonly rule: string;
  /** Texts without any of these hold none; searched before the pattern is. */
  readonly anchors: readonly string[];
  /**
   * Takes time that grows with the text only: repetitions are of one class, bounded, and not repeated.
   * Of a pattern with a group the group is the secret.
   */
  readonly pattern: RegExp;
}

/** Behind a line end that JSON has escaped a token begins, too. */
const ESCAPED_BEFORE = '(?<=\\\\[nrt])';
const NOT_BEFORE = `(?:(?<![A-Za-z0-9])|${ESCAPED_BEFORE})`;
const NOT_BEHIND = '(?![A-Za-z0-9])';

function token(rule: string, anchors: readonly string[], form: string): KnownSecret {
  return { rule, anchors, pattern: new RegExp(`${NOT_BEFORE}(?:${form})${NOT_BEHIND}`, 'g') };
}

/** Begins only where no longer run of its characters does, so that each run is looked at once. */
function longToken(rule: string, anchors: readonly string[], form: string): KnownSecret {
  const pattern = new RegExp(`(?:(?<![\\w+/=-])|${ESCAPED_BEFORE})(?:${form})${NOT_BEHIND}`, 'g');
  return { rule, anchors, pattern };
}

/**
 * Forms as their issuers document them; which ones are worth knowing follows the rule sets of secretlint and
 * gitleaks (both MIT). Only forms that name themselves by a prefix, a suffix or their surroundings: a
 * wrong mask destroys what a session says.
 */
export const KNOWN_TOKENS: readonly KnownSecret[] = [
  // Models and what agents use.
  token('anthropic', ['sk-ant-'], 'sk-ant-[a-z0-9]{2,12}-[\\w-]{24,256}'),
  token('openrouter', ['sk-or-'], 'sk-or-v\\d-[0-9a-f]{64}'),
  token(
    'openai',
    ['sk-'],
    'sk-(?:proj|svcacct|admin|None)-[\\w-]{32,256}|sk-(?!ant-|or-)[A-Za-z0-9]{32,128}',
  ),
  token('google-api-key', ['AIza'], 'AIza[\\w-]{35}'),
  token('hugging-face', ['hf_', 'api_org_'], '(?:hf|api_org)_[A-Za-z0-9]{34,40}'),
  token('replicate', ['r8_'], 'r8_[A-Za-z0-9]{37}'),
  token('groq', ['gsk_'], 'gsk_[A-Za-z0-9]{40,64}'),
  token('xai', ['xai-'], 'xai-[A-Za-z0-9]{60,100}'),
  token('perplexity', ['pplx-'], 'pplx-[A-Za-z0-9]{40,64}'),
  token('nvidia', ['nvapi-'], 'nvapi-[\\w-]{60,80}'),
  token('langsmith', ['lsv2_'], 'lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}'),
  token('tavily', ['tvly-'], 'tvly-[A-Za-z0-9-]{20,64}'),
  token('pinecone', ['pcsk_'], 'pcsk_[A-Za-z0-9_]{50,90}'),
  token('elevenlabs', ['sk_'], 'sk_[0-9a-f]{48}'),
  token('holdfast', ['hf_'], 'hf_[a-z0-9][a-z0-9-]{0,62}\\.[0-9a-f]{16}_[\\w-]{43}'),
  // Clouds.
  token('aws-access-key', ['AKIA', 'ASIA', 'ABIA', 'ACCA'], '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}'),
  longToken('google-oauth', ['GOCSPX-', 'ya29.'], 'GOCSPX-[\\w-]{28}|ya29\\.[\\w-]{20,1024}'),
  token('azure-client-secret', ['8Q~', '7Q~'], '[\\w~.]{3}[78]Q~[\\w~.-]{31,34}'),
  token('alibaba', ['LTAI'], 'LTAI[A-Za-z0-9]{20}'),
  token('tencent', ['AKID'], 'AKID[A-Za-z0-9]{32}'),
  token('digitalocean', ['dop_', 'doo_', 'dor_'], 'do[opr]_v1_[0-9a-f]{64}'),
  token('heroku', ['HRKU-'], 'HRKU-[A-Za-z0-9_-]{36,64}'),
  longToken('fly', ['fm1', 'fm2'], 'fm[12][ar]?_[A-Za-z0-9+/=_-]{64,1024}'),
  token('netlify', ['nfp_'], 'nfp_[A-Za-z0-9]{36,64}'),
  token('databricks', ['dapi'], 'dapi[0-9a-f]{32}(?:-\\d)?'),
  token('planetscale', ['pscale_'], 'pscale_(?:tkn|pw|oauth)_[\\w.=-]{32,64}'),
  token('supabase', ['sbp_', 'sb_secret_'], 'sbp_[0-9a-f]{40}|sb_secret_[\\w-]{31,64}'),
  // Code and packages.
  token('github', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], 'gh[pousr]_[A-Za-z0-9]{36,255}'),
  token('github-fine-grained', ['github_pat_'], 'github_pat_[A-Za-z0-9_]{60,255}'),
  token('gitlab', ['gl'], 'gl(?:pat|dt|rt|ptt|cbt|soat|ft|agent|imt)-[\\w-]{20,64}'),
  token('npm', ['npm_'], 'npm_[A-Za-z0-9]{36}'),
  longToken('pypi', ['pypi-'], 'pypi-[\\w-]{50,1024}'),
  token('rubygems', ['rubygems_'], 'rubygems_[0-9a-f]{48}'),
  token('docker', ['dckr_'], 'dckr_(?:pat|oat)_[\\w-]{27,64}'),
  token('buildkite', ['bkua_'], 'bkua_[0-9a-f]{40}'),
  token('postman', ['PMAK-'], 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}'),
  longToken('sentry', ['sntry'], 'sntry[su]_[A-Za-z0-9+/=_-]{60,512}'),
  token('new-relic', ['NRAK-'], 'NRAK-[A-Z0-9]{27}'),
  longToken(
    'grafana',
    ['glc_', 'glsa_'],
    'glc_[A-Za-z0-9+/=]{32,512}|glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}',
  ),
  token('dynatrace', ['dt0'], 'dt0[a-z]\\d\\d\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}'),
  longToken('vault', ['hvs.', 'hvb.', 'hvr.'], 'hv[sbr]\\.[\\w-]{24,512}'),
  token('terraform', ['.atlasv1.'], '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w=-]{60,80}'),
  token('pulumi', ['pul-'], 'pul-[0-9a-f]{40}'),
  token('doppler', ['dp.'], 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9._-]{40,80}'),
  // Work and messages.
  token(
    'slack',
    ['xox', 'xapp-'],
    'xox[abeprs](?:\\.xox[bp])?-[A-Za-z0-9-]{10,250}|xapp-\\d-[A-Za-z0-9-]{20,250}',
  ),
  token('telegram', [':AA'], '\\d{8,10}:AA[\\w-]{33}'),
  token('discord', ['.'], '[MNO][\\w-]{23,25}\\.[\\w-]{6}\\.[\\w-]{27,38}'),
  token('twilio', ['SK'], 'SK[0-9a-f]{32}'),
  token('sendgrid', ['SG.'], 'SG\\.[\\w-]{16,32}\\.[\\w-]{32,64}'),
  token('mailgun', ['key-'], 'key-[0-9a-f]{32}'),
  token('mailchimp', ['-us'], '[0-9a-f]{32}-us\\d{1,2}'),
  token('linear', ['lin_'], 'lin_(?:api|oauth)_[A-Za-z0-9]{40,64}'),
  token('notion', ['ntn_', 'secret_'], 'ntn_[A-Za-z0-9]{40,64}|secret_[A-Za-z0-9]{43}'),
  token('figma', ['figd_'], 'figd_[\\w-]{40,64}'),
  token('airtable', ['pat'], 'pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}'),
  token('atlassian', ['ATATT3', 'ATCTT3'], 'AT[AC]TT3[\\w=-]{60,250}'),
  // Money.
  token(
    'stripe',
    ['_live_', '_test_', 'whsec_'],
    '(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,247}|whsec_[A-Za-z0-9+/=]{32,64}',
  ),
  token('square', ['sq0', 'EAAA'], 'sq0(?:atp|csp|idp)-[\\w-]{22,43}|EAAA[\\w-]{60}'),
  token('shopify', ['shp'], 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}'),
  token('easypost', ['EZ'], 'EZ[AT]K[A-Za-z0-9]{54}'),
  token('shippo', ['shippo_'], 'shippo_(?:live|test)_[0-9a-f]{40}'),
  // Keys of their own kind.
  longToken('jwt', ['eyJ'], 'eyJ[\\w-]{10,4096}\\.eyJ[\\w-]{10,8192}\\.[\\w-]{10,2048}'),
  token('age', ['AGE-SECRET-KEY-'], 'AGE-SECRET-KEY-1[A-Z0-9]{58}'),
  longToken('1password', ['ops_eyJ'], 'ops_eyJ[A-Za-z0-9+/=_-]{60,4096}'),
];

/** Told by what stands around them, however short they are; the group is the secret. */
export const SHORT_IN_PLACE: readonly KnownSecret[] = [
  {
    rule: 'connection-string',
    anchors: ['://'],
    pattern: /[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:/?#@"'<>]{0,128}:([^\s/?#@"'<>]{3,256})@(?=[\w[])/gi,
  },
  {
    rule: 'connection-string',
    anchors: ['word=', 'wd=', 'WORD=', 'Word=', 'WD='],
    pattern:
      /(?:server|data source|host|user id|uid)=[^;\n]{1,100};[^\n]{0,200}?(?:password|pwd)=([^;\s"']{3,256})/gi,
  },
  {
    rule: 'authorization-header',
    anchors: ['zation', 'ZATION'],
    pattern:
      /authorization["'\\]{0,2}\s{0,3}[:=]\s{0,3}["'\\]{0,2}(?:bearer|basic|token)\s{1,3}([\w.~+/=-]{8,8192})/gi,
  },
];

/** The same, of those that have a long run of characters that no word has. */
export const LONG_IN_PLACE: readonly KnownSecret[] = [
  {
    rule: 'azure-storage',
    anchors: ['AccountKey=', 'SharedAccessKey='],
    pattern: /(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,88}={0,2})/g,
  },
  {
    rule: 'azure-sas',
    anchors: ['sig='],
    pattern: /[?&]sig=([A-Za-z0-9%+/=]{40,128})/g,
  },
  {
    rule: 'slack-webhook',
    anchors: ['hooks.slack.com'],
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9/]{30,120})/g,
  },
  {
    rule: 'discord-webhook',
    anchors: ['/api/webhooks/'],
    pattern: /discord(?:app)?\.com\/api\/webhooks\/(\d{15,22}\/[\w-]{60,80})/g,
  },
  {
    rule: 'aws-secret-key',
    anchors: ['ecret', 'ECRET'],
    pattern:
      /(?:aws_?secret_?access_?key|secret_?access_?key)["'\\]{0,2}\s{0,3}[:=]\s{0,3}["'\\]{0,2}([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/gi,
  },
];

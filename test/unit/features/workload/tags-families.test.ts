import { describe, expect, test } from 'vitest';
import { tag, tagLines } from './lookup-support.ts';

/** Without what all tags of a family share. */
function tagInShort(name: string): string[] {
  return tag(name).filter((line) => !/^\*|Effect|in detail/.test(line));
}

describe('the tags of external authorization', () => {
  test('externalAuthAddress is required: a hostname or an IP', () => {
    expect(tagInShort('externalAuthAddress')).toEqual([
      '• `svc/externalAuthAddress` hostname or IP, *required*',
      '• *Values:* hostname or IP',
      '• *Default:* none, it is *required*',
      '• *To copy* into `tags`: `svc/externalAuthAddress: "service.example.com"`',
    ]);
  });

  test('externalAuthPort is 443 by default', () => {
    expect(tagInShort('externalAuthPort')).toEqual([
      '• `svc/externalAuthPort` port number, default `443`',
      '• *Values:* port number',
      '• *Default:* `443`',
      '• *Required beside it:* `svc/externalAuthAddress`',
      '• *To copy* into `tags`: `svc/externalAuthPort: "443"`',
    ]);
  });

  test('externalAuthProtocol is grpc by default, or http', () => {
    expect(tagInShort('externalAuthProtocol')).toEqual([
      '• `svc/externalAuthProtocol` `grpc` or `http`, default `grpc`',
      '• *Values:* `grpc` or `http`',
      '• *Default:* `grpc`',
      '• *Required beside it:* `svc/externalAuthAddress`',
      '• *To copy* into `tags`: `svc/externalAuthProtocol: "grpc"`',
    ]);
  });

  test('externalAuthScheme is https by default, or http', () => {
    expect(tagInShort('externalAuthScheme')).toEqual([
      '• `svc/externalAuthScheme` `https` or `http`, default `https`',
      '• *Values:* `https` or `http`',
      '• *Default:* `https`',
      '• *Required beside it:* `svc/externalAuthAddress`',
      '• *To copy* into `tags`: `svc/externalAuthScheme: "https"`',
    ]);
  });

  test('externalAuthTimeout is 1s by default', () => {
    expect(tagInShort('externalAuthTimeout')).toEqual([
      '• `svc/externalAuthTimeout` duration, such as 1s, default `1s`',
      '• *Values:* duration, such as 1s',
      '• *Default:* `1s`',
      '• *Required beside it:* `svc/externalAuthAddress`',
      '• *To copy* into `tags`: `svc/externalAuthTimeout: "1s"`',
    ]);
  });

  test('externalAuthFailureAllow is true by default', () => {
    expect(tagInShort('externalAuthFailureAllow')).toEqual([
      '• `svc/externalAuthFailureAllow` `true` or `false`, default `true`',
      '• *Values:* `true` or `false`',
      '• *Default:* `true`',
      '• *Required beside it:* `svc/externalAuthAddress`',
      '• *To copy* into `tags`: `svc/externalAuthFailureAllow: "true"`',
    ]);
  });

  test('externalAuthPackAsBytes is false by default', () => {
    expect(tagInShort('externalAuthPackAsBytes')).toEqual([
      '• `svc/externalAuthPackAsBytes` `true` or `false`, default `false`',
      '• *Values:* `true` or `false`',
      '• *Default:* `false`',
      '• *Required beside it:* `svc/externalAuthAddress`',
      '• *To copy* into `tags`: `svc/externalAuthPackAsBytes: "false"`',
    ]);
  });

  test('externalAuthRemoveRequestBody is false by default', () => {
    expect(tagInShort('externalAuthRemoveRequestBody')).toEqual([
      '• `svc/externalAuthRemoveRequestBody` `true` or `false`, default `false`',
      '• *Values:* `true` or `false`',
      '• *Default:* `false`',
      '• *Required beside it:* `svc/externalAuthAddress`',
      '• *To copy* into `tags`: `svc/externalAuthRemoveRequestBody: "false"`',
    ]);
  });

  test('externalAuthIncludePeerCert is false by default', () => {
    expect(tagInShort('externalAuthIncludePeerCert')).toEqual([
      '• `svc/externalAuthIncludePeerCert` `true` or `false`, default `false`',
      '• *Values:* `true` or `false`',
      '• *Default:* `false`',
      '• *Required beside it:* `svc/externalAuthAddress`',
      '• *To copy* into `tags`: `svc/externalAuthIncludePeerCert: "false"`',
    ]);
  });

  test('externalAuthPathPrefix has no default', () => {
    expect(tagInShort('externalAuthPathPrefix')).toEqual([
      '• `svc/externalAuthPathPrefix` path, default none',
      '• *Values:* path',
      '• *Default:* none',
      '• *Required beside it:* `svc/externalAuthAddress`',
      '• *To copy* into `tags`: `svc/externalAuthPathPrefix: "/check"`',
    ]);
  });

  test('externalAuthUpstreamHeaderPrefixes has no default', () => {
    expect(tagInShort('externalAuthUpstreamHeaderPrefixes')).toEqual([
      '• `svc/externalAuthUpstreamHeaderPrefixes` prefixes, default none',
      '• *Values:* prefixes',
      '• *Default:* none',
      '• *Required beside it:* `svc/externalAuthAddress`',
      '• *To copy* into `tags`: `svc/externalAuthUpstreamHeaderPrefixes: "PREFIXES"`',
    ]);
  });

  test('externalAuthListenPort has no default', () => {
    expect(tagInShort('externalAuthListenPort')).toEqual([
      '• `svc/externalAuthListenPort` port number, default none',
      '• *Values:* port number',
      '• *Default:* none',
      '• *Required beside it:* `svc/externalAuthAddress`',
      '• *To copy* into `tags`: `svc/externalAuthListenPort: "8080"`',
    ]);
  });

  test('check all requests before they are processed, which is said above them and of each', () => {
    const effect = 'All requests are checked against the service before they are processed';

    expect(tagLines()).toContain(`*External authorization* – ${effect}`);
    expect(tagLines('externalAuthPort')).toContain(`• *Effect:* ${effect}`);
  });
});

describe('the tags of external rate limiting', () => {
  test('rateLimitAddress is required: a hostname or an IP', () => {
    expect(tagInShort('rateLimitAddress')).toEqual([
      '• `svc/rateLimitAddress` hostname or IP, *required*',
      '• *Values:* hostname or IP',
      '• *Default:* none, it is *required*',
      '• *To copy* into `tags`: `svc/rateLimitAddress: "service.example.com"`',
    ]);
  });

  test('rateLimitPort is 443 by default', () => {
    expect(tagInShort('rateLimitPort')).toEqual([
      '• `svc/rateLimitPort` port number, default `443`',
      '• *Values:* port number',
      '• *Default:* `443`',
      '• *Required beside it:* `svc/rateLimitAddress`',
      '• *To copy* into `tags`: `svc/rateLimitPort: "443"`',
    ]);
  });

  test('rateLimitDomain is the short brand name of the platform by default', () => {
    expect(tagInShort('rateLimitDomain')).toEqual([
      '• `svc/rateLimitDomain` domain identifier, default the platform’s short brand name',
      '• *Values:* domain identifier',
      '• *Default:* the platform’s short brand name',
      '• *Required beside it:* `svc/rateLimitAddress`',
      '• *To copy* into `tags`: `svc/rateLimitDomain: "DOMAIN-IDENTIFIER"`',
    ]);
  });

  test('rateLimitScheme is https by default, or http', () => {
    expect(tagInShort('rateLimitScheme')).toEqual([
      '• `svc/rateLimitScheme` `https` or `http`, default `https`',
      '• *Values:* `https` or `http`',
      '• *Default:* `https`',
      '• *Required beside it:* `svc/rateLimitAddress`',
      '• *To copy* into `tags`: `svc/rateLimitScheme: "https"`',
    ]);
  });

  test('rateLimitDescriptors is authority by default', () => {
    expect(tagInShort('rateLimitDescriptors')).toEqual([
      '• `svc/rateLimitDescriptors` string, default `authority`',
      '• *Values:* string',
      '• *Default:* `authority`',
      '• *Note:* By public accounts the default limits nothing; authorization, host and path do',
      '• *Required beside it:* `svc/rateLimitAddress`',
      '• *To copy* into `tags`: `svc/rateLimitDescriptors: "authorization"`',
    ]);
  });
});

test('what is not published of these tags is not guessed', () => {
  expect(tagLines('rateLimitDomain')).toContain(
    '• What each tag of this family does in detail is not published',
  );
});

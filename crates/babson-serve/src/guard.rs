//! Who may ask: the host, the origin and the token of a request.

use std::net::IpAddr;

use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::{HeaderMap, Uri};
use babson_api::{ApiError, ErrorCode};
use subtle::ConstantTimeEq;

use crate::config::ServeConfig;

/// Checks that a request names this server as its host, and comes from no page of another one. So a
/// page of a stranger cannot use the server through the browser of somebody who may: neither by a
/// request of its own, nor by a name that it lets resolve to the address of this server.
///
/// # Errors
/// The host or the origin is another one.
pub(crate) fn check_source(
    config: &ServeConfig,
    uri: &Uri,
    headers: &HeaderMap,
) -> Result<(), ApiError> {
    let named = headers.get(HOST).map(|host| host.to_str().unwrap_or_default());
    let authority = named.or_else(|| uri.authority().map(|authority| authority.as_str()));
    let authority = authority.unwrap_or_default();
    if !is_own_host(config, authority) {
        let message = "the request names another host than this server: whoever runs it has to name \
                       the hosts under which browsers reach it, with --host NAME";
        return Err(ApiError::new(ErrorCode::Host, message));
    }
    for origin in headers.get_all(ORIGIN) {
        let origin = origin.to_str().unwrap_or_default();
        let other = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        if !other.is_some_and(|other| other.eq_ignore_ascii_case(authority)) {
            let message = "the request comes from a page of another server";
            return Err(ApiError::new(ErrorCode::Origin, message));
        }
    }
    Ok(())
}

/// Whether an authority, a host with perhaps a port, is one of this server. An address cannot be
/// the name of a stranger.
fn is_own_host(config: &ServeConfig, authority: &str) -> bool {
    let host = match authority.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((host, port)) if port.is_empty() || is_port(port) => host,
            Some(_) | None => return false,
        },
        None => match authority.split_once(':') {
            Some((host, _)) if is_port(&authority[host.len()..]) => host,
            Some(_) => return false,
            None => authority,
        },
    };
    let host = host.strip_suffix('.').unwrap_or(host);
    let is_named = |name: &String| name.eq_ignore_ascii_case(host);
    host.parse::<IpAddr>().is_ok()
        || host.eq_ignore_ascii_case("localhost")
        || config.hosts.iter().any(is_named)
}

/// Whether a text is a colon and a port.
fn is_port(text: &str) -> bool {
    text.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok())
}

/// Checks the token of a request, if the server has one.
///
/// # Errors
/// The request has no token or another one.
pub(crate) fn check_token(config: &ServeConfig, headers: &HeaderMap) -> Result<(), ApiError> {
    let Some(token) = &config.token else { return Ok(()) };
    let sent = headers.get(AUTHORIZATION).map(|value| value.as_bytes()).unwrap_or_default();
    let sent = match sent.split_at_checked(BEARER.len()) {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case(BEARER) => rest.trim_ascii(),
        Some(_) | None => b"",
    };
    // The time tells the length of the token at most.
    match bool::from(sent.ct_eq(token.as_bytes())) {
        true => Ok(()),
        false => {
            let message = "the server wants its token: Authorization: Bearer TOKEN";
            Err(ApiError::new(ErrorCode::Token, message))
        }
    }
}

const BEARER: &[u8] = b"Bearer ";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_localhost_and_named_hosts_are_this_server() {
        let mut config = ServeConfig::new(Vec::new());
        config.hosts = vec!["chess.example".to_owned()];
        for host in [
            "localhost",
            "LOCALHOST:8080",
            "127.0.0.1",
            "10.1.2.3:80",
            "[::1]:8080",
            "[::1]",
            "chess.example",
            "Chess.Example:443",
            "chess.example.",
        ] {
            assert!(is_own_host(&config, host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "localhost:x",
            "localhost:80:80",
            "[::1",
            "[::1]x",
            "chess.example@evil.example",
            "::1",
        ] {
            assert!(!is_own_host(&config, host), "{host}");
        }
    }

    #[test]
    fn a_token_is_the_whole_token() {
        let mut config = ServeConfig::new(Vec::new());
        let check = |config: &ServeConfig, sent: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(AUTHORIZATION, sent.parse().unwrap());
            check_token(config, &headers).is_ok()
        };
        assert!(check(&config, "anything"));
        config.token = Some("secret".to_owned());
        assert!(check(&config, "Bearer secret") && check(&config, "bearer secret"));
        for sent in
            ["", "secret", "Bearer", "Bearer ", "Bearer secre", "Bearer secrets", "Basic secret"]
        {
            assert!(!check(&config, sent), "{sent}");
        }
        assert!(check_token(&config, &HeaderMap::new()).is_err());
    }
}
